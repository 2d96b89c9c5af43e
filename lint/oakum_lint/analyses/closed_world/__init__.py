"""What the analysis is sure of: a world in which each value comes from code that it has seen."""
