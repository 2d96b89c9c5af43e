"""What runs on the host: NumPy, SciPy, Python and its standard library."""
