"""Cumulative functions: the operand's shape, flattened when there is no axis."""

from typing import Any

from oakum import dtypes
from oakum.abstract import operands
from oakum.abstract.operands import Arguments
from oakum.abstract.reduction import widen_integers
from oakum.dtypes import DType
from oakum.errors import DTypeError, ShapeError
from oakum.values import dims
from oakum.values.avals import UNKNOWN_DIM, Dim, Shape, ShapedArray


def cumulative(arguments: Arguments) -> ShapedArray:
    """`cumsum`, `cumprod`: the dtype of the operand, and integers for booleans.

    >>> from oakum.values.avals import parse_aval
    >>> print(cumulative({"a": parse_aval("bool[2,3]"), "axis": None, "dtype": None}))
    i32[6]
    """
    given = operands.operand(arguments)
    default = dtypes.canonicalize(dtypes.int64) if given.dtype is dtypes.bool_ else given.dtype
    return _scan(arguments, default)


def cumulative_widened(arguments: Arguments) -> ShapedArray:
    """`cumulative_sum`: integers widen as in a sum, and a start can be added."""
    return _with_start(arguments, widen_integers(operands.operand(arguments).dtype))


def cumulative_products(arguments: Arguments) -> ShapedArray:
    """`cumulative_prod`: the dtype of `cumprod`, and a start can be added."""
    return _with_start(arguments, cumulative(arguments).dtype)


def _with_start(arguments: Arguments, default: DType | None) -> ShapedArray:
    given = operands.operand(arguments)
    axis = arguments.get("axis")
    if axis is None and given.ndim is not None and given.ndim != 1:
        raise ShapeError(
            f"an axis is needed for {given}, which does not have one dimension", hint="Give axis=."
        )
    at = 0 if axis is None else axis
    result = _scan({**arguments, "axis": at}, default)

    def lengthen(longer: bool) -> ShapedArray:
        if not longer or result.shape is None:
            return result
        if not isinstance(at, int):
            return result.update(shape=(UNKNOWN_DIM,) * len(result.shape))
        sizes: list[Dim] = list(result.shape)
        place = operands.axis(at, len(sizes))
        sizes[place] = dims.add(sizes[place], 1)
        return result.update(shape=tuple(sizes))

    final: ShapedArray = operands.complete(
        operands.flags(arguments.get("include_initial", False)), lengthen
    )
    return final


def _scan(arguments: Arguments, default: DType | None) -> ShapedArray:
    given = operands.operand(arguments)
    operands.reject_keys([given], "a cumulative function")
    dtype, _ = operands.dtype_option(arguments.get("dtype"), (default, False))
    axis = arguments.get("axis")
    shape: Shape | None = given.shape
    if axis is None:
        shape = (given.size,)
    elif operands.integer(axis) is None:
        shape = given.shape if given.ndim == 1 else None
    elif shape is not None:
        operands.axis(int(axis), len(shape))
    return ShapedArray(shape, dtype, weak_type=False)


def lax_cumulative(arguments: Arguments) -> ShapedArray:
    """`lax.cumsum`, `cummax`: shape and dtype of the operand."""
    return operands.loosely_typed(operands.operand(arguments))


def counter_dtype(lower: ShapedArray, upper: ShapedArray, frame: Any = None) -> DType | None:
    """The dtype of what counts from one bound to another; None where one has none that is known."""
    if lower.dtype is None or upper.dtype is None or lower.dtype is upper.dtype:
        return lower.dtype and upper.dtype
    signed = all(bound.dtype.kind is dtypes.Kind.INT for bound in (lower, upper) if bound.dtype)
    if signed and None in (lower.weak_type, upper.weak_type):
        return None
    if signed and lower.weak_type is not upper.weak_type:
        return upper.dtype if lower.weak_type else lower.dtype
    raise DTypeError(
        "lower and upper arguments to fori_loop must have equal types, got "
        f"{lower.dtype} and {upper.dtype}",
        frame=frame,
        hint="Convert a bound with astype, or give Python integers.",
    )
