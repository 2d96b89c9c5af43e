"""Special functions on the host's arrays of doubles, which the primitives evaluate.

Each function takes NumPy as `xp` and flat arrays of float64, and returns one; the caller converts
other dtypes, so that results of 32 bits are rounded once.
"""
