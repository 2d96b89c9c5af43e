"""The abstract interpreter: evaluates the program over abstract values and emits events."""
