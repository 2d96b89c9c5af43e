"""Prepares operands of elementwise functions before a primitive is bound.

A weakly typed operand takes the dtype of the other operands, and scalars and axes of length one are
repeated; the abstract rule of the primitive refuses operands that still differ.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from oakum import primitives
from oakum.abstract.elementwise import different_shapes
from oakum.abstract.selection import LIMITS
from oakum.array import Array
from oakum.dtypes import Kind
from oakum.errors import DTypeError
from oakum.lax.conversion import converted
from oakum.primitives.rules import arguments
from oakum.runtime.arrays import ArrayImpl
from oakum.tracing.trace import as_operand, aval_of, is_evaluating
from oakum.typing import ArrayLike
from oakum.values import promotion
from oakum.values.avals import ShapedArray


def agreed(name: str, *values: ArrayLike) -> list[Any]:
    """Returns the operands in one dtype, where weak types allow it, and one shape."""
    found = _agreed_pair(*values) if len(values) == 2 else None
    if found is not None:
        return found
    operands = [as_operand(value) for value in values]
    avals = [aval_of(operand) for operand in operands]
    first = avals[0]
    if any(aval.dtype is not first.dtype for aval in avals):
        operands = in_one_dtype(operands, avals)
    if any(aval.shape != first.shape for aval in avals):
        operands = in_one_shape(name, operands, avals)
    return operands


def _agreed_pair(x: ArrayLike, y: ArrayLike) -> list[Any] | None:
    """Returns the operands of the most common calls; None of other calls, which take longer."""
    if not (isinstance(x, Array) and isinstance(y, Array)):
        return _beside_number(x, y) if is_evaluating() else None
    left, right = x.aval, y.aval
    if left.dtype is not right.dtype:
        return None
    if left.shape == right.shape:
        return [x, y]
    if left.shape and not right.shape:
        return [x, repeated(y, right, left.shape)]
    if right.shape and not left.shape:
        return [repeated(x, left, right.shape), y]
    return None


_NUMBERS: Final = {
    bool: frozenset((Kind.BOOL,)),
    int: frozenset((Kind.INT, Kind.UINT, Kind.FLOAT, Kind.COMPLEX)),
    float: frozenset((Kind.FLOAT, Kind.COMPLEX)),
    complex: frozenset((Kind.COMPLEX,)),
}
"""The kinds of arrays whose dtype Python numbers take."""


def _beside_number(x: ArrayLike, y: ArrayLike) -> list[Any] | None:
    """Returns an array and a Python number in its dtype and shape: the most common pair, for which
    evaluation need not bind operations that convert and repeat. None of other operands.
    """
    if type(x) is ArrayImpl and type(y) in _NUMBERS:
        repeated = _like(x.aval, y)
        return None if repeated is None else [x, repeated]
    if type(y) is ArrayImpl and type(x) in _NUMBERS:
        repeated = _like(y.aval, x)
        return None if repeated is None else [repeated, y]
    return None


def _like(aval: ShapedArray, number: Any) -> Any:
    shape: Any = aval.shape
    if aval.dtype is None or aval.weak_type or aval.dtype.kind not in _NUMBERS[type(number)]:
        return None
    return arguments.repeated(number, aval.dtype, shape, weak_type=True)


def of_one_shape(name: str, *values: ArrayLike) -> list[Any]:
    """Returns the operands in one shape, whatever their dtypes."""
    operands = [as_operand(value) for value in values]
    avals = [aval_of(operand) for operand in operands]
    if all(aval.shape == avals[0].shape for aval in avals):
        return operands
    return in_one_shape(name, operands, avals)


def power(base: ArrayLike, exponent: ArrayLike) -> list[Any]:
    """Returns the operands of `pow`, where the exponent may be an integer."""
    kind = aval_of(as_operand(exponent)).dtype
    if kind is not None and kind.kind in (Kind.INT, Kind.UINT):
        return of_one_shape("pow", base, exponent)
    return agreed("pow", base, exponent)


def limited(low: ArrayLike, x: ArrayLike, high: ArrayLike) -> list[Any]:
    """Returns the operands of `clamp`: bounds that are scalars are repeated."""
    operands = [as_operand(value) for value in (low, x, high)]
    avals = [aval_of(operand) for operand in operands]
    if len({aval.dtype for aval in avals}) > 1:
        raise LIMITS.different_dtypes(avals)
    shape: Any = avals[1].shape
    return [
        repeated(x, aval, shape) if not aval.shape and shape else x
        for x, aval in zip(operands, avals, strict=True)
    ]


def cases(values: Sequence[Any]) -> list[Any]:
    """Returns the cases of `select_n` in one dtype."""
    operands = [as_operand(value) for value in values]
    avals = [aval_of(operand) for operand in operands]
    return in_one_dtype(operands, avals)


def in_one_dtype(operands: Sequence[Any], avals: Sequence[ShapedArray]) -> list[Any]:
    """Returns the operands, of which the weakly typed ones take the dtype of the others if they
    fit.
    """
    if all(aval.dtype is avals[0].dtype for aval in avals):
        return list(operands)
    strong = {aval.dtype for aval in avals if not aval.weak_type}
    if len(strong) != 1:
        return list(operands)
    (dtype,) = strong
    try:
        promoted, _ = promotion.promote(aval.typing for aval in avals)
    except DTypeError:
        return list(operands)
    if dtype is None or promoted is not dtype:
        return list(operands)
    pairs = zip(operands, avals, strict=True)
    return [x if aval.dtype is dtype else converted(x, dtype) for x, aval in pairs]


def in_one_shape(name: str, operands: Sequence[Any], avals: Sequence[ShapedArray]) -> list[Any]:
    """Returns the operands with scalars and axes of length one repeated to the common shape."""
    shape = common_shape(name, avals)
    pairs = zip(operands, avals, strict=True)
    return [x if aval.shape == shape else repeated(x, aval, shape) for x, aval in pairs]


def common_shape(name: str, avals: Sequence[ShapedArray]) -> tuple[Any, ...]:
    """Returns the shape of operands of one rank, and scalars; an error where there is none."""
    shapes = [aval.shape for aval in avals if aval.shape]
    if len({len(shape) for shape in shapes}) > 1:
        raise different_shapes(name, [aval for aval in avals if aval.shape])
    shape: list[Any] = []
    for sizes in zip(*shapes, strict=True):
        others = {size for size in sizes if size != 1}
        if len(others) > 1:
            raise different_shapes(name, [aval for aval in avals if aval.shape])
        shape.append(others.pop() if others else 1)
    return tuple(shape)


def repeated(operand: ArrayLike, aval: ShapedArray, shape: tuple[Any, ...]) -> Any:
    """Returns a scalar, or an array with axes of length one, repeated to a shape."""
    if not aval.shape and type(operand) is ArrayImpl and is_evaluating():
        scalar = operand.raw
        if scalar.dtype.isbuiltin == 1 and operand.own_sharding is None:
            return arguments.stretched(scalar, aval, shape)
    axes = tuple(range(len(shape))) if aval.shape else ()
    return primitives.broadcasting.broadcast_in_dim_p.bind(
        operand, shape=shape, broadcast_dimensions=axes, sharding=None
    )
