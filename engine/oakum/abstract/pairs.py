"""Functions with several results: quotient and remainder, fraction and whole, index arrays."""

from typing import Any

from oakum import dtypes
from oakum.abstract import operands
from oakum.abstract.elementwise import Elementwise, Result
from oakum.abstract.operands import Arguments
from oakum.values.avals import UNKNOWN, ShapedArray
from oakum.values.declarations import AbstractRule


def twice(result: Result, *names: str) -> AbstractRule:
    """Two results like that of an elementwise function: `divmod`, `modf`.

    >>> from oakum.values.avals import parse_aval
    >>> print(*twice("same", "x")({"x": parse_aval("f32[3]")}))
    f32[3] f32[3]
    """
    rule = Elementwise(result, names)

    def both(arguments: Arguments) -> tuple[ShapedArray, ShapedArray]:
        one = rule(arguments)
        if one.dtype is dtypes.bool_:
            one = one.update(dtype=dtypes.canonicalize(dtypes.int64))
        return one, one

    return both


def mantissa(arguments: Arguments) -> tuple[ShapedArray, ShapedArray]:
    """`frexp`: a float and the exponent, which is an `int32`."""
    given = operands.operand(arguments)
    fraction = Elementwise("inexact", weak=False)(arguments)
    return fraction, ShapedArray(given.shape, dtypes.int32)


def unravelled(arguments: Arguments) -> Any:
    """`unravel_index`: an index array for each axis of the shape."""
    given = operands.operand(arguments)
    shape = operands.shape(arguments["shape"])
    if shape is None:
        return UNKNOWN
    return (ShapedArray(given.shape, given.dtype, None),) * len(shape)


def diagonal_indices(arguments: Arguments) -> Any:
    """`diag_indices`: the same index array for each axis."""
    size, count = operands.dim(arguments["n"]), operands.integer(arguments.get("ndim", 2))
    if count is None:
        return UNKNOWN
    return (ShapedArray((size,), dtypes.canonicalize(dtypes.int64)),) * count


def diagonal_indices_from(arguments: Arguments) -> Any:
    """`diag_indices_from`: the same index array for each axis of the array."""
    given = operands.operand(arguments)
    if not given.shape:
        return UNKNOWN
    return (ShapedArray(given.shape[:1], dtypes.canonicalize(dtypes.int64)),) * len(given.shape)


def sorted_pair(arguments: Arguments) -> tuple[ShapedArray, ShapedArray]:
    """`sort_key_val`: the keys and the values, sorted."""
    keys, values = (operands.array(each) for each in operands.positional(arguments, 2))
    return keys.update(weak_type=None), values.update(weak_type=None)
