"""Arrays whose shape comes from numbers: identity matrices, grids of indices, windows."""

from typing import Any

from oakum import dtypes
from oakum.abstract import operands
from oakum.abstract.creation import check_shape
from oakum.abstract.operands import Arguments
from oakum.values.avals import UNKNOWN, ShapedArray


def identity(arguments: Arguments) -> ShapedArray:
    """`identity`: a square matrix of floats by default.

    >>> print(identity({"n": 3, "dtype": None}))
    f32[3,3]
    """
    size = operands.dim(arguments["n"])
    default = dtypes.canonicalize(dtypes.float64), False
    typing = operands.dtype_option(arguments.get("dtype"), default)
    return ShapedArray((size, size), *typing)


def indices(arguments: Arguments) -> Any:
    """`indices`: one array of all coordinates, or a sparse one for each axis.

    >>> print(indices({"dimensions": (2, 3), "dtype": None, "sparse": False}))
    i32[2,2,3]
    """
    shape = check_shape(arguments["dimensions"])
    default = dtypes.canonicalize(dtypes.int64), False
    typing = operands.dtype_option(arguments.get("dtype"), default)

    def result(sparse: bool) -> Any:
        if shape is None:
            return UNKNOWN if sparse else ShapedArray(None, *typing)
        if not sparse:
            return ShapedArray((len(shape), *shape), *typing)
        rank = len(shape)
        sizes = [(1,) * i + (size,) + (1,) * (rank - i - 1) for i, size in enumerate(shape)]
        return tuple(ShapedArray(each, *typing) for each in sizes)

    return operands.complete(operands.flags(arguments.get("sparse", False)), result)


def window(arguments: Arguments) -> ShapedArray:
    """`hanning` and the other windows: a vector of floats.

    >>> print(window({"M": 5}))
    f32[5]
    """
    size = operands.dim(next(iter(arguments.values())))
    return ShapedArray((size,), dtypes.canonicalize(dtypes.float64), False)


def answer(arguments: Arguments) -> ShapedArray:
    """`allclose`, `array_equal`: one boolean for whole arrays.

    >>> print(answer({}))
    bool[]
    """
    return ShapedArray((), dtypes.bool_)


def closeness(arguments: Arguments) -> ShapedArray:
    """`isclose`: booleans, also of random keys.

    >>> from oakum.values.avals import parse_aval
    >>> print(closeness({"a": parse_aval("f32[3]"), "b": 1.0, "rtol": 1e-5, "atol": 1e-8}))
    bool[3]
    """
    arrays = [operands.array(each) for each in operands.positional(arguments, 4)]
    return ShapedArray(operands.broadcast_shapes(arrays), dtypes.bool_)


def all_close(arguments: Arguments) -> ShapedArray:
    """`allclose`: one boolean for arrays that broadcast."""
    return closeness(arguments).update(shape=())


def square(arguments: Arguments) -> ShapedArray:
    """`hilbert`: a square matrix of floats."""
    size = operands.dim(next(iter(arguments.values())))
    return ShapedArray((size, size), dtypes.canonicalize(dtypes.float64), None)
