"""Functions that choose between arrays, and those that bound values."""

from collections.abc import Mapping
from typing import Any

from oakum import dtypes
from oakum.abstract import operands
from oakum.abstract.elementwise import result_type
from oakum.abstract.joining import sequence
from oakum.abstract.operands import Arguments
from oakum.abstract.sorting import nonzero
from oakum.errors import DTypeError, ShapeError
from oakum.values.avals import ANY_ARRAY, UNKNOWN, ShapedArray


def where(arguments: Arguments) -> Any:
    """`where`: of two arrays by a condition; with the condition alone, the places where it holds.

    >>> from oakum.values.avals import parse_aval
    >>> print(where({"condition": parse_aval("bool[8,1]"), "x": parse_aval("f32[3]"), "y": 0}))
    f32[8,3]
    """
    condition, x, y = operands.positional(arguments, 3)
    if x is None or y is None:
        return nonzero({"a": condition, "size": arguments.get("size")})
    if x is UNKNOWN and y is UNKNOWN:
        return UNKNOWN
    return chosen([operands.array(condition)], [operands.array(x), operands.array(y)])


def chosen(conditions: list[ShapedArray], arrays: list[ShapedArray]) -> ShapedArray:
    """One of the arrays, elementwise: all broadcast, and the dtypes of the arrays promote."""
    shape = operands.broadcast_shapes([*conditions, *arrays])
    keys = any(operands.of_kind(each.dtype, dtypes.Kind.KEY) for each in arrays)
    typing = arrays[0].typing if keys else result_type(arrays, "same")
    return operands.ranked(ShapedArray(shape, *typing), [*conditions, *arrays])


def select(arguments: Arguments) -> ShapedArray:
    """`select`: of several arrays, that of the first condition that holds."""
    conditions, choices = (sequence(value) for value in operands.positional(arguments, 2))
    if conditions is None or choices is None:
        return ANY_ARRAY
    if len(conditions) != len(choices):
        raise ShapeError(f"{len(conditions)} conditions choose between {len(choices)} arrays")
    if not choices:
        raise ShapeError("select takes at least one condition")
    return chosen(conditions, [*choices, operands.array(arguments.get("default", 0))])


def clip(arguments: Arguments) -> ShapedArray:
    """`clip`: an array with its elements bounded on both sides, or on one.

    >>> from oakum.values.avals import parse_aval
    >>> print(clip({"arr": parse_aval("f32[8]"), "min": 0, "max": None}))
    f32[8]
    """
    given, *bounds = operands.positional(arguments, 3)
    unknown = any(bound is UNKNOWN for bound in bounds)
    arrays = [operands.array(each) for each in (given, *bounds) if each is not None]
    if unknown:
        return ShapedArray(None, None, None)
    for each in arrays:
        if operands.of_kind(each.dtype, dtypes.Kind.COMPLEX):
            raise DTypeError(
                f"clip takes real numbers, and {each} has no order",
                hint="Clip the real and the imaginary part, or the absolute value.",
            )
    result = ShapedArray(operands.broadcast_shapes(arrays), *result_type(arrays, "same"))
    return operands.ranked(result, arrays)


def piecewise(arguments: Mapping[str, Any]) -> ShapedArray:
    """`piecewise`: shape and dtype of the first operand."""
    return operands.operand(arguments).update(weak_type=False)
