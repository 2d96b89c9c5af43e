"""Reductions: the elements along axes are combined, and the axes disappear.

Sums and products of small elements are kept in 32 bits; a reduction of nothing gives the identity.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from oakum import dtypes, lax
from oakum.abstract.reduction import reduced_shape
from oakum.dtypes import DType, Kind
from oakum.errors import DTypeError, ShapeError
from oakum.primitives.arithmetic import mul_p
from oakum.primitives.rules import lowering
from oakum.primitives.rules.accumulation_dtype import greatest, least, widened
from oakum.primitives.rules.arguments import dtype_of, shape_of, without
from oakum.primitives.rules.associative_reduce import dual, fold
from oakum.primitives.rules.symbolic_zeros import is_undefined
from oakum.tracing.trace import AxisData, Primitive, aval_of, shared
from oakum.values import host
from oakum.values.avals import ShapedArray

Axes = tuple[int, ...]

_NUMBERS = (Kind.UINT, Kind.INT, Kind.FLOAT, Kind.COMPLEX)
_INTEGERS = (Kind.BOOL, Kind.UINT, Kind.INT)


def _checked_shape(operand: ShapedArray, axes: Axes) -> Any:
    if len(axes) != len(set(axes)):
        raise ShapeError(
            f"duplicate value in 'axes' of reduction: {axes}", hint="Name each axis once."
        )
    rank = operand.ndim or 0
    if not all(0 <= axis < rank for axis in axes):
        raise ShapeError(
            f"reduction axes {axes} contains out-of-bounds indices for {operand}",
            hint=f"Give axes from 0 to {rank - 1}.",
        )
    return reduced_shape(operand, axes)


def _abstract_numbers(
    primitive: Primitive, operand: ShapedArray, *, axes: Axes, **params: Any
) -> ShapedArray:
    assert operand.dtype is not None
    if operand.dtype.kind not in _NUMBERS:
        raise DTypeError(
            f"{primitive.name} does not accept dtype {operand.dtype}. Accepted dtypes are subtypes "
            "of number.",
            hint="Convert the operand with astype.",
        )
    return operand.update(shape=_checked_shape(operand, axes))


def _abstract_any(operand: ShapedArray, *, axes: Axes) -> ShapedArray:
    if operand.dtype is not None and operand.dtype.kind is Kind.KEY:
        raise DTypeError(f"random keys, as in {operand}, have no order and cannot be reduced")
    return operand.update(shape=_checked_shape(operand, axes))


def _abstract_bits(operand: ShapedArray, *, axes: Axes) -> ShapedArray:
    assert operand.dtype is not None
    if operand.dtype.kind not in _INTEGERS:
        raise DTypeError(
            f"logical reduction requires operand dtype bool or int, got {operand.dtype}.",
            hint="Compare the operand first, or convert it with astype.",
        )
    return operand.update(shape=_checked_shape(operand, axes), weak_type=False)


def _batch(
    primitive: Primitive,
    axis: AxisData,
    operands: Sequence[Any],
    dims: Sequence[int],
    *,
    axes: Axes,
    **params: Any,
) -> tuple[Any, int]:
    (operand,), (dim,) = operands, dims
    moved = tuple(each + (each >= dim) for each in axes)
    kept = without(range(aval_of(operand).ndim or 0), moved)
    return primitive.bind(operand, axes=moved, **params), kept.index(dim)


def _kept_axes(operand: ShapedArray, axes: Axes) -> Axes:
    return without(range(operand.ndim or 0), axes)


def _evaluate_sum(np: Any, operand: Any, *, axes: Axes, out_sharding: Any = None) -> Any:
    wide = widened(operand)
    return np.sum(wide, axis=axes, dtype=wide.dtype).astype(operand.dtype, copy=False)


def _evaluate_prod(np: Any, operand: Any, *, axes: Axes) -> Any:
    wide = widened(operand)
    return np.prod(wide, axis=axes, dtype=wide.dtype).astype(operand.dtype, copy=False)


def _transpose_sum(cotangent: Any, operand: Any, *, axes: Axes, out_sharding: Any) -> list[Any]:
    assert is_undefined(operand)
    aval = operand.aval
    return [lax.broadcast_in_dim(cotangent, aval.shape, _kept_axes(aval, axes))]


def _jvp_prod(primals: Sequence[Any], tangents: Sequence[Any], *, axes: Axes) -> tuple[Any, Any]:
    """Multiplies in pairs, so that zeros among the factors do no harm to the derivative."""
    (operand,), (tangent,) = primals, tangents
    aval, sizes = aval_of(operand), shape_of(operand)
    kept = _kept_axes(aval, axes)
    rest = tuple(sizes[axis] for axis in kept)
    out = reduce_prod_p.bind(operand, axes=axes)
    if 0 in sizes:
        return out, lax.full(rest, 0, aval.dtype)
    flat = (math.prod(sizes[axis] for axis in axes), *rest)
    pair = [lax.reshape(lax.transpose(x, (*axes, *kept)), flat) for x in (operand, tangent)]
    return out, lax.reshape(fold(dual(mul_p, out_dtype=None), pair)[1], rest)


def _derive_extreme(tangent: Any, out: Any, operand: Any, *, axes: Axes) -> Any:
    """The tangents of the elements that are extreme, averaged: ties share equally."""
    sizes = shape_of(operand)
    shape = tuple(1 if i in axes else n for i, n in enumerate(sizes))
    spread = lax.broadcast_in_dim(lax.reshape(out, shape), sizes, range(len(shape)))
    places = lax.convert_element_type(lax.eq(operand, spread), aval_of(operand).dtype)
    counts = lax.reduce_sum(places, axes)
    return lax.div(lax.reduce_sum(lax.mul(tangent, places), axes), counts)


def _extreme(pick: str, identity: Callable[[DType], Any]) -> Callable[..., Any]:
    def evaluate(np: Any, operand: Any, *, axes: Axes) -> Any:
        wide = widened(operand)
        if wide.size:
            return getattr(np, pick)(wide, axis=axes).astype(operand.dtype, copy=False)
        start = identity(host.read_dtype(operand.dtype)).astype(wide.dtype)
        return getattr(np, pick)(wide, axis=axes, initial=start).astype(operand.dtype, copy=False)

    return evaluate


def _bitwise(name: str, identity: int) -> Callable[..., Any]:
    def evaluate(np: Any, operand: Any, *, axes: Axes) -> Any:
        wide = widened(operand)
        start = np.array(identity).astype(wide.dtype)
        reduce = getattr(np, name).reduce
        return reduce(wide, axis=axes, initial=start).astype(operand.dtype, copy=False)

    return evaluate


reduce_sum_p = Primitive(
    "reduce_sum",
    abstract=shared(_abstract_numbers),
    evaluate=_evaluate_sum,
    linear=True,
    transpose=_transpose_sum,
    batch=shared(_batch),
    lower=lowering.Reduced("add"),
)
reduce_prod_p = Primitive(
    "reduce_prod",
    abstract=shared(_abstract_numbers),
    evaluate=_evaluate_prod,
    jvp=_jvp_prod,
    batch=shared(_batch),
    lower=lowering.Reduced("mul"),
)
reduce_max_p = Primitive(
    "reduce_max",
    abstract=_abstract_any,
    evaluate=_extreme("max", least),
    derivatives=(_derive_extreme,),
    batch=shared(_batch),
    lower=lowering.Reduced("max"),
)
reduce_min_p = Primitive(
    "reduce_min",
    abstract=_abstract_any,
    evaluate=_extreme("min", greatest),
    derivatives=(_derive_extreme,),
    batch=shared(_batch),
    lower=lowering.Reduced("min"),
)
reduce_and_p = Primitive(
    "reduce_and",
    abstract=_abstract_bits,
    evaluate=_bitwise("bitwise_and", -1),
    batch=shared(_batch),
    lower=lowering.Reduced("and"),
)
reduce_or_p = Primitive(
    "reduce_or",
    abstract=_abstract_bits,
    evaluate=_bitwise("bitwise_or", 0),
    batch=shared(_batch),
    lower=lowering.Reduced("or"),
)
reduce_xor_p = Primitive(
    "reduce_xor",
    abstract=_abstract_bits,
    evaluate=_bitwise("bitwise_xor", 0),
    batch=shared(_batch),
    lower=lowering.Reduced("xor"),
)


def _abstract_position(operand: ShapedArray, *, axes: Axes, index_dtype: DType) -> ShapedArray:
    (axis,), shape = axes, operand.shape or ()
    if not 0 <= axis < len(shape):
        raise ShapeError(
            f"Invalid axis {axis} for operand shape {shape}",
            hint=f"Give an axis from 0 to {len(shape) - 1}.",
        )
    if not shape[axis]:
        raise ShapeError(
            "argmin and argmax require non-empty reduced dimension. "
            f"operand.shape={shape} axis={axis}",
            hint="Reduce along an axis that has elements.",
        )
    if index_dtype.kind not in (Kind.INT, Kind.UINT):
        raise DTypeError(
            f"index_dtype must be an integer type, but got {index_dtype}",
            hint=f"Give {dtypes.int32}.",
        )
    if operand.dtype is None or operand.dtype.kind in (Kind.COMPLEX, Kind.KEY):
        raise DTypeError(
            f"argmin and argmax need elements that have an order, and {operand.dtype} has none",
            hint="Take the position of the absolute values.",
        )
    return ShapedArray(without(shape, axes), index_dtype)  # pyright: ignore[reportArgumentType]


def _position_lower(extreme: Primitive) -> Callable[..., Any]:
    """The first place of an extreme element; what is not a number counts as one."""

    def lower(operand: Any, *, axes: Axes, index_dtype: DType) -> Any:
        (axis,), shape = axes, shape_of(operand)
        kept = without(range(len(shape)), axes)
        count = shape[axis]
        kind = dtypes.int32 if count < 1 << 31 else dtypes.int64
        found = lax.broadcast_in_dim(extreme.bind(operand, axes=axes), shape, kept)
        there = lax.eq(operand, found)
        if dtype_of(operand).kind is Kind.FLOAT:
            there = lax.bitwise_or(there, lax.ne(operand, operand))
        places = lax.broadcasted_iota(kind, shape, axis)
        nowhere = lax.full(shape, count - 1, kind)
        first = lax.reduce_min(lax.select(there, places, nowhere), axes)
        return lax.convert_element_type(first, index_dtype)

    return lower


def _position(pick: str) -> Callable[..., Any]:
    def evaluate(np: Any, operand: Any, *, axes: Axes, index_dtype: DType) -> Any:
        found = getattr(np, pick)(widened(operand), axis=axes[0])
        return found.astype(host.dtype(index_dtype))

    return evaluate


argmax_p = Primitive(
    "argmax",
    abstract=_abstract_position,
    evaluate=_position("argmax"),
    derivatives=(None,),
    batch=shared(_batch),
    lower=lowering.Decomposed(_position_lower(reduce_max_p), lowering.are_native),
)
argmin_p = Primitive(
    "argmin",
    abstract=_abstract_position,
    evaluate=_position("argmin"),
    derivatives=(None,),
    batch=shared(_batch),
    lower=lowering.Decomposed(_position_lower(reduce_min_p), lowering.are_native),
)
