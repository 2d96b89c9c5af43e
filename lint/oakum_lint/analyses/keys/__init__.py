"""Random keys: which array is which key, and where it was used up."""
