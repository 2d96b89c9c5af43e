"""Host implementations of primitives that NumPy does not have."""
