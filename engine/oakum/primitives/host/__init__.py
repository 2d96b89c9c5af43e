"""What primitives evaluate on the host, beyond the functions of NumPy."""
