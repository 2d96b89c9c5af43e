"""Subscripts of arrays: `x[index]` and `x.at[index]`, as NumPy reads an index."""
