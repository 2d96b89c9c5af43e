"""Reductions: the elements along axes are combined, and the axes disappear.

Sums and products of small elements are kept in 32 bits; a reduction of nothing returns the
identity.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

from oakum import dtypes, lax
from oakum.abstract import reduction
from oakum.dtypes import DType, Kind
from oakum.primitives.arithmetic import mul_p
from oakum.primitives.rules import declared, lowering
from oakum.primitives.rules.arguments import dtype_of, shape_of, without
from oakum.primitives.rules.associative_reduce import dual, fold
from oakum.primitives.rules.derivatives import UndefinedPrimal, is_undefined
from oakum.primitives.rules.host_sums import accurate_sum
from oakum.primitives.rules.numpy_evaluation import greatest, in_compute_dtype, least
from oakum.tracing.trace import AxisData, Primitive, aval_of, shared
from oakum.typing import ArrayLike
from oakum.values import host
from oakum.values.avals import ShapedArray

Axes = tuple[int, ...]

_NUMBERS = (Kind.UINT, Kind.INT, Kind.FLOAT, Kind.COMPLEX)
_INTEGERS = (Kind.BOOL, Kind.UINT, Kind.INT)


def _batch(
    primitive: Primitive,
    axis: AxisData,
    operands: Sequence[Any],
    dims: Sequence[int],
    *,
    axes: Axes,
    **params: object,
) -> tuple[Any, int]:
    (operand,), (dim,) = operands, dims
    moved = tuple(each + (each >= dim) for each in axes)
    kept = without(range(aval_of(operand).ndim or 0), moved)
    return primitive.bind(operand, axes=moved, **params), kept.index(dim)


def _kept_axes(operand: ShapedArray, axes: Axes) -> Axes:
    return without(range(operand.ndim or 0), axes)


def _evaluate_sum(
    np: ModuleType, operand: host.Array, *, axes: Axes, out_sharding: object = None
) -> Any:
    wide = in_compute_dtype(operand)
    return accurate_sum(np, wide, axes).astype(operand.dtype, copy=False)


def _evaluate_prod(np: ModuleType, operand: host.Array, *, axes: Axes) -> Any:
    wide = in_compute_dtype(operand)
    return np.prod(wide, axis=axes, dtype=wide.dtype).astype(operand.dtype, copy=False)


def _transpose_sum(
    cotangent: ArrayLike, operand: UndefinedPrimal, *, axes: Axes, out_sharding: object
) -> list[Any]:
    assert is_undefined(operand)
    aval = operand.aval
    return [lax.broadcast_in_dim(cotangent, shape_of(aval), _kept_axes(aval, axes))]


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


def _derive_extreme(tangent: ArrayLike, out: ArrayLike, operand: ArrayLike, *, axes: Axes) -> Any:
    """Returns the tangents of the elements that are extreme, averaged: ties share equally."""
    sizes = shape_of(operand)
    shape = tuple(1 if i in axes else n for i, n in enumerate(sizes))
    spread = lax.broadcast_in_dim(lax.reshape(out, shape), sizes, range(len(shape)))
    places = lax.convert_element_type(lax.eq(operand, spread), aval_of(operand).dtype)
    counts = lax.reduce_sum(places, axes)
    return lax.div(lax.reduce_sum(lax.mul(tangent, places), axes), counts)


def _extreme(pick: str, identity: Callable[[DType], Any]) -> Callable[..., Any]:
    def evaluate(np: ModuleType, operand: host.Array, *, axes: Axes) -> Any:
        wide = in_compute_dtype(operand)
        if wide.size:
            return getattr(np, pick)(wide, axis=axes).astype(operand.dtype, copy=False)
        start = identity(host.read_dtype(operand.dtype)).astype(wide.dtype)
        return getattr(np, pick)(wide, axis=axes, initial=start).astype(operand.dtype, copy=False)

    return evaluate


def _bitwise(name: str, identity: int) -> Callable[..., Any]:
    def evaluate(np: ModuleType, operand: host.Array, *, axes: Axes) -> Any:
        wide = in_compute_dtype(operand)
        start = np.array(identity).astype(wide.dtype)
        reduce = getattr(np, name).reduce
        return reduce(wide, axis=axes, initial=start).astype(operand.dtype, copy=False)

    return evaluate


reduce_sum_p = Primitive(
    "reduce_sum",
    abstract=declared.over_axes("reduce_sum"),
    evaluate=_evaluate_sum,
    linear=True,
    transpose=_transpose_sum,
    batch=shared(_batch),
    lower=lowering.Reduced("add"),
)
reduce_prod_p = Primitive(
    "reduce_prod",
    abstract=declared.over_axes("reduce_prod"),
    evaluate=_evaluate_prod,
    jvp=_jvp_prod,
    batch=shared(_batch),
    lower=lowering.Reduced("mul"),
)
reduce_max_p = Primitive(
    "reduce_max",
    abstract=declared.over_axes("reduce_max"),
    evaluate=_extreme("max", least),
    derivatives=(_derive_extreme,),
    batch=shared(_batch),
    lower=lowering.Reduced("max"),
)
reduce_min_p = Primitive(
    "reduce_min",
    abstract=declared.over_axes("reduce_min"),
    evaluate=_extreme("min", greatest),
    derivatives=(_derive_extreme,),
    batch=shared(_batch),
    lower=lowering.Reduced("min"),
)
reduce_and_p = Primitive(
    "reduce_and",
    abstract=declared.over_axes("reduce_and"),
    evaluate=_bitwise("bitwise_and", -1),
    batch=shared(_batch),
    lower=lowering.Reduced("and"),
)
reduce_or_p = Primitive(
    "reduce_or",
    abstract=declared.over_axes("reduce_or"),
    evaluate=_bitwise("bitwise_or", 0),
    batch=shared(_batch),
    lower=lowering.Reduced("or"),
)
reduce_xor_p = Primitive(
    "reduce_xor",
    abstract=declared.over_axes("reduce_xor"),
    evaluate=_bitwise("bitwise_xor", 0),
    batch=shared(_batch),
    lower=lowering.Reduced("xor"),
)


def _abstract_position(operand: ShapedArray, *, axes: Axes, index_dtype: DType) -> ShapedArray:
    (axis,) = axes
    return reduction.exact_position(operand, axis, index_dtype)


def _position_lower(extreme: Primitive) -> Callable[..., Any]:
    """Returns the first place of an extreme element; what is not a number counts as one."""

    def lower(operand: ArrayLike, *, axes: Axes, index_dtype: DType) -> Any:
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
    def evaluate(np: ModuleType, operand: host.Array, *, axes: Axes, index_dtype: DType) -> Any:
        found = getattr(np, pick)(in_compute_dtype(operand), axis=axes[0])
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
