"""Functions that choose between arrays, and those that bound values."""

from collections.abc import Mapping
from typing import Any

from oakum import dims
from oakum.abstract import operands
from oakum.abstract.elementwise import result_type
from oakum.abstract.joining import sequence
from oakum.abstract.operands import Arguments
from oakum.abstract.sorting import nonzero
from oakum.avals import ANY_ARRAY, UNKNOWN, ShapedArray
from oakum.errors import ShapeError


def where(arguments: Arguments) -> Any:
    """`where`: of two arrays by a condition; with the condition alone, the places where it holds.

    >>> from oakum.avals import parse_aval
    >>> print(where({"condition": parse_aval("bool[8,1]"), "x": parse_aval("f32[3]"), "y": 0}))
    f32[8,3]
    """
    condition, x, y = operands.positional(arguments, 3)
    if x is None and y is None:
        return nonzero({"a": condition, "size": arguments.get("size")})
    if x is UNKNOWN and y is UNKNOWN:
        return UNKNOWN
    return chosen([operands.array(condition)], [operands.array(x), operands.array(y)])


def chosen(conditions: list[ShapedArray], arrays: list[ShapedArray]) -> ShapedArray:
    """One of the arrays, elementwise: all broadcast, and the dtypes of the arrays promote."""
    shape = operands.broadcast_shapes([*conditions, *arrays])
    keys = any(operands.of_kind(each.dtype, operands.dtypes.Kind.KEY) for each in arrays)
    typing = arrays[0].typing if keys else result_type(arrays, "same")
    return ShapedArray(shape, *typing)


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

    >>> from oakum.avals import parse_aval
    >>> print(clip({"arr": parse_aval("f32[8]"), "min": 0, "max": None}))
    f32[8]
    """
    given, *bounds = operands.positional(arguments, 3)
    unknown = any(bound is UNKNOWN for bound in bounds)
    arrays = [operands.array(each) for each in (given, *bounds) if each is not None]
    if unknown:
        return ShapedArray(None, None, None)
    return ShapedArray(operands.broadcast_shapes(arrays), *result_type(arrays, "same"))


def select_n(arguments: Arguments) -> ShapedArray:
    """`lax.select_n`: cases of one type and shape, chosen by an array of that shape or a scalar."""
    which, cases = operands.positional(arguments, 2)
    if not isinstance(cases, tuple) or not cases:
        return ANY_ARRAY
    items: tuple[Any, ...] = cases
    arrays = [operands.array(each) for each in items]
    return same_type(arrays, operands.array(which))


def select_two(arguments: Arguments) -> ShapedArray:
    """`lax.select`: one of two arrays of one type and shape."""
    which, *cases = operands.positional(arguments, 3)
    return same_type([operands.array(each) for each in cases], operands.array(which))


def same_type(arrays: list[ShapedArray], which: ShapedArray) -> ShapedArray:
    """The common type of cases; a `ShapeError` when their shapes certainly differ."""
    first = arrays[0]
    for other in arrays[1:]:
        merged = _same_shape(first, other)
        first = first.update(
            shape=merged, dtype=first.dtype or other.dtype, weak_type=_both_weak(first, other)
        )
    if which.shape not in (None, ()) and first.shape is not None:
        _same_shape(first, which)
    return first.update()


def _both_weak(left: ShapedArray, right: ShapedArray) -> bool | None:
    if left.weak_type is right.weak_type:
        return left.weak_type
    return False if False in (left.weak_type, right.weak_type) else None


def _same_shape(left: ShapedArray, right: ShapedArray) -> Any:
    if left.shape is None or right.shape is None:
        return left.shape or right.shape
    equal = len(left.shape) == len(right.shape) and False not in map(
        dims.equal, left.shape, right.shape
    )
    if not equal:
        raise ShapeError(f"{left} and {right} have different shapes")
    return tuple(
        b if isinstance(a, dims.UnknownDim) else a
        for a, b in zip(left.shape, right.shape, strict=True)
    )


def piecewise(arguments: Mapping[str, Any]) -> ShapedArray:
    """`piecewise`: shape and dtype of the first operand."""
    return operands.operand(arguments).update(weak_type=False)
