"""Factorizations of batches of matrices that NumPy does not have, in NumPy's operations.

Conventions are LAPACK's: pivots, reflections and shifts are chosen as its routines choose them.
Every function takes the host's library first, and arrays with any number of batch axes.
"""
