"""Python's semantics over abstract values."""
