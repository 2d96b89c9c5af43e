"""The dtypes of NumPy's results, where they follow from its defaults.

NumPy makes `int64` and `float64` of Python's numbers, as JAX does under x64. Of these, most
functions return what JAX's of the same name return under x64. Both tables are measured on NumPy.
"""

from oakum import dtypes

SAME_DTYPE_UNDER_X64 = frozenset(
    """
    arange array asarray copy empty empty_like eye full full_like
    identity linspace ones ones_like tri zeros zeros_like
    atleast_1d atleast_2d atleast_3d broadcast_to clip column_stack concatenate diag diagonal
    expand_dims flatten flip fliplr flipud hstack moveaxis ravel repeat reshape roll
    rot90 sort squeeze stack swapaxes take tile transpose tril triu vstack where
    argmax argmin argsort cumprod cumsum dot matmul max mean min outer prod std sum trace var
    abs absolute add cos cosh divide exp log maximum minimum multiply sin sinh sqrt square subtract
    tan tanh
    """.split()
)
"""Functions and methods that return the same dtype as JAX's under x64, for arrays of the dtypes
that NumPy makes of Python's numbers."""

DRAWN_DTYPES = {
    "integers": (dtypes.int64, 3),
    "randint": (dtypes.int64, 3),
    "random": (dtypes.float64, 1),
    "standard_normal": (dtypes.float64, 1),
    "normal": (dtypes.float64, 3),
    "uniform": (dtypes.float64, 3),
    "rand": (dtypes.float64, 32),
    "randn": (dtypes.float64, 32),
    "random_sample": (dtypes.float64, 1),
    "exponential": (dtypes.float64, 2),
    "poisson": (dtypes.int64, 2),
    "binomial": (dtypes.int64, 3),
}
"""What random functions draw, and how many arguments may stand before one that names a dtype."""
