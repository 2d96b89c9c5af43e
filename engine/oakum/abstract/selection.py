"""Functions that choose between arrays, and those that bound values."""

from collections.abc import Sequence
from typing import Any, Final

from oakum import dtypes
from oakum.abstract import operands
from oakum.abstract.elementwise import ANYTHING, BITS, KEYS_TOO, exact, result_type, takes
from oakum.abstract.joining import sequence
from oakum.abstract.operands import Arguments
from oakum.abstract.sorting import nonzero
from oakum.errors import DTypeError, InvalidValueError, ShapeError
from oakum.values.avals import ANY_ARRAY, UNKNOWN, ShapedArray


def where(arguments: Arguments) -> Any:
    """`where`: of two arrays by a condition; with the condition alone, the places where it holds.

    >>> from oakum.values.avals import parse_aval
    >>> print(where({"condition": parse_aval("bool[8,1]"), "x": parse_aval("f32[3]"), "y": 0}))
    f32[8,3]
    """
    condition, x, y = operands.positional(arguments, 3)
    if (x is None and y is not UNKNOWN) != (y is None and x is not UNKNOWN):
        position = 1 if x is None else 2
        raise InvalidValueError(
            "where requires ndarray or scalar arguments, got <class 'NoneType'> at position "
            f"{position}",
            hint="Give an array or a number for both choices, or leave out both.",
        )
    if x is None or y is None:
        return nonzero({"a": condition, "size": arguments.get("size")})
    if x is UNKNOWN and y is UNKNOWN:
        return UNKNOWN
    return chosen([operands.array(condition)], [operands.array(x), operands.array(y)])


def chosen(conditions: list[ShapedArray], arrays: list[ShapedArray]) -> ShapedArray:
    """Returns the result of an elementwise choice: shapes broadcast, the arrays' dtypes promote."""
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


def piecewise(arguments: Arguments) -> ShapedArray:
    """`piecewise`: the type of the first operand, and its shape unless it is a scalar."""
    given = operands.operand(arguments)
    return given.update(shape=given.shape or None, weak_type=False)


LIMITS: Final = exact(ANYTHING).over("min", "x", "max").named("clamp")
"""An array and its bounds."""


def clamp(arguments: Arguments) -> ShapedArray:
    """`clamp(min, x, max)`: the operand, bounded by arrays of its type, or scalars."""
    low, given, high = (operands.array(each) for each in operands.positional(arguments, 3))
    if len({each.dtype for each in (low, given, high)} - {None}) > 1:
        raise LIMITS.different_dtypes([low, given, high])
    dtype, _ = LIMITS.typing_of([low, given, high])
    check_limits(low, given, high, scalars=True)
    return operands.loosely_typed(given.update(dtype=given.dtype or dtype))


def check_limits(low: ShapedArray, given: ShapedArray, high: ShapedArray, *, scalars: bool) -> None:
    """Raises a `ShapeError` when a bound certainly has another shape than the operand."""
    for name, bound in (("min", low), ("max", high)):
        if scalars and bound.shape == ():
            continue
        if operands.same_shape(bound.shape, given.shape) is False:
            raise ShapeError(
                f"clamp requires {name}.shape == operand.shape or {name}.shape == ()",
                detail=f"Got {name}.shape={operands.shape_text(bound.shape)}, "
                f"operand.shape={operands.shape_text(given.shape)}",
                hint="Use jax.numpy.clip, which broadcasts.",
            )


def select_n(arguments: Arguments) -> ShapedArray:
    """`select_n`: cases of one type and shape, chosen by an array of that shape or a scalar."""
    which, cases = operands.positional(arguments, 2)
    items = operands.items(cases)
    if items is None:
        return ANY_ARRAY
    if not items:
        raise ShapeError("select_n() must have at least one case", hint="Give the cases.")
    given = [operands.array(each) for each in items]
    return operands.loosely_typed(selected(operands.array(which), given))


def lax_select(arguments: Arguments) -> ShapedArray:
    """`select`: one of two arrays of one type and shape.

    >>> from oakum.values.avals import parse_aval
    >>> x = parse_aval("f32[8]")
    >>> print(lax_select({"pred": parse_aval("bool[8]"), "on_true": x, "on_false": x}))
    f32[8]
    """
    which, on_true, on_false = operands.positional(arguments, 3)
    cases = [operands.array(each) for each in (on_false, on_true)]
    return operands.loosely_typed(selected(operands.array(which), cases))


CASES: Final = exact(KEYS_TOO, promoting="where").named("select")
"""The cases that one is selected of."""


def selected(which: ShapedArray, cases: Sequence[ShapedArray]) -> ShapedArray:
    """Returns the result of a choice among cases of one shape and one dtype."""
    typing = CASES.typing_of(list(cases))
    shape = cases[0].shape
    for other in cases[1:]:
        if operands.same_shape(shape, other.shape) is False:
            names = ", ".join(operands.shape_text(case.shape) for case in cases)
            raise ShapeError(f"select cases must have the same shapes, got [{names}]")
        shape = operands.merged_shape(shape, other.shape)
    if which.shape and operands.same_shape(which.shape, shape) is False:
        raise ShapeError(
            "select `which` must be scalar or have the same shape as cases",
            detail=f"Got `which` shape {operands.shape_text(which.shape)} but case shape "
            f"{operands.shape_text(shape)}",
            hint="Broadcast the condition, or use jax.numpy.where.",
        )
    _check_which(which, len(cases))
    if which.shape:
        shape = operands.merged_shape(shape, which.shape)
    return ShapedArray(shape, *typing)


def _check_which(which: ShapedArray, count: int) -> None:
    if not takes(which.dtype, BITS):
        raise DTypeError(
            f"select `which` must be boolean or integer type, got {which.dtype}",
            hint="Compare the array with a number to make a condition of it.",
        )
    if operands.of_kind(which.dtype, dtypes.Kind.BOOL) and count > 2:
        raise DTypeError(
            "select with boolean `which` cannot have > 2 cases",
            hint="Convert the condition to an integer, which counts the cases.",
        )
