"""Functions that are compiled again at each call, or in each iteration of a loop."""
