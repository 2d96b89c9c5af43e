"""What the checks of a run are, what they find, and which of it is known."""
