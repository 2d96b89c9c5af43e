"""Native calls: compiled functions that are called without a line of Python."""
