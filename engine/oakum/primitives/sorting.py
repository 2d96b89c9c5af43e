"""Sorting along an axis, of several arrays by one or more keys, and the greatest elements.

Invariants:
- The order of floats is -inf < ... < 0 < ... < inf < NaN; zeros of both signs are equal, and so are
  all NaNs. Complex numbers are ordered by their real part, then by their imaginary part.
- Every sort is stable.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Any

from oakum import dtypes, lax
from oakum.dtypes import Kind
from oakum.errors import DTypeError, ShapeError
from oakum.primitives import orders
from oakum.primitives.rules.arguments import shape_of
from oakum.primitives.rules.batching import broadcast, move
from oakum.primitives.rules.derivatives import Zero, zero_of
from oakum.primitives.rules.lowering import Kernel
from oakum.primitives.rules.numpy_evaluation import in_compute_dtype
from oakum.tracing.trace import AxisData, Primitive
from oakum.typing import ArrayLike
from oakum.values import host
from oakum.values.avals import ShapedArray


def take_along(operand: ArrayLike, indices: ArrayLike, axis: int) -> Any:
    """Returns the elements at indices along an axis, for each place of the other axes."""
    rank = len(shape_of(operand))
    others = tuple(each for each in range(rank) if each != axis)
    numbers = lax.GatherDimensionNumbers(
        offset_dims=(),
        collapsed_slice_dims=(axis,),
        start_index_map=(axis,),
        operand_batching_dims=others,
        start_indices_batching_dims=others,
    )
    return lax.gather(
        operand,
        lax.expand_dims(indices, (rank,)),
        numbers,
        (1,) * rank,
        mode=lax.GatherScatterMode.PROMISE_IN_BOUNDS,
    )


def _abstract_sort(
    *avals: ShapedArray, dimension: int, is_stable: bool, num_keys: int
) -> list[ShapedArray]:
    if any(each.shape != avals[0].shape for each in avals):
        shapes = " ".join(str(each.shape) for each in avals)
        raise ShapeError(
            f"Arguments to sort must have equal shapes, got: {shapes}",
            hint="Broadcast the arrays to one shape first.",
        )
    for each in avals[:num_keys]:
        if each.dtype is not None and each.dtype.kind is Kind.KEY:
            raise DTypeError(f"random keys, as in {each}, have no order and cannot be sorted by")
    return list(avals)


def _evaluate_sort(
    np: ModuleType, *operands: host.Array, dimension: int, is_stable: bool, num_keys: int
) -> list[Any]:
    if len(operands) == 1:
        result = orders.in_order(in_compute_dtype(operands[0]), dimension)
        return [result.astype(operands[0].dtype, copy=False)]
    keys = [in_compute_dtype(each) for each in operands[:num_keys]]
    single = num_keys == 1
    places = orders.order(keys[0], dimension) if single else np.lexsort(keys[::-1], dimension)
    return [orders.taken(each, places, dimension) for each in operands]


def _jvp_sort(
    primals: Sequence[Any], tangents: Sequence[Any], *, dimension: int, **params: object
) -> tuple[list[Any], list[Any]]:
    places = lax.broadcasted_iota(dtypes.int32, shape_of(primals[0]), dimension)
    *results, order = sort_p.bind(*primals, places, dimension=dimension, **params)
    moved = [t if isinstance(t, Zero) else take_along(t, order, dimension) for t in tangents]
    return results, moved


def _batch_sort(
    axis: AxisData,
    operands: Sequence[Any],
    dims: Sequence[int | None],
    *,
    dimension: int,
    **params: object,
) -> tuple[list[Any], list[int]]:
    dim = next(each for each in dims if each is not None)
    aligned = [
        broadcast(x, axis.size, dim) if d is None else move(x, d, dim)
        for x, d in zip(operands, dims, strict=True)
    ]
    results = sort_p.bind(*aligned, dimension=dimension + (dim <= dimension), **params)
    return results, [dim] * len(operands)


sort_p = Primitive(
    "sort",
    abstract=_abstract_sort,
    evaluate=_evaluate_sort,
    jvp=_jvp_sort,
    batch=_batch_sort,
    multiple_results=True,
    exact=True,
)


def _abstract_top_k(operand: ShapedArray, *, k: int, axis: int) -> list[ShapedArray]:
    shape: Any = operand.shape
    if operand.dtype is None or operand.dtype.kind in (Kind.COMPLEX, Kind.KEY):
        raise DTypeError(
            f"top_k is not compatible with {operand.dtype.kind if operand.dtype else 'such'} "
            "inputs.",
            hint="Take the greatest of the absolute values.",
        )
    if not shape:
        raise ShapeError(
            f"top_k operand must have >= 1 dimension, got {shape}", hint="Give a vector."
        )
    if shape[axis] < k:
        raise ShapeError(
            f"k argument to top_k must be no larger than size along axis; got k={k} with "
            f"shape={list(shape)} and axis={axis}",
            hint=f"Give a k from 0 to {shape[axis]}.",
        )
    if shape[axis] > _MOST:
        raise ShapeError(
            "top_k returns int32 indices, which will overflow for array dimensions larger than "
            f"the maximum int32 ({_MOST - 1}). Got operand.shape={shape}",
            hint="Split the array, and take the greatest of the parts.",
        )
    results = (*shape[:axis], k, *shape[axis + 1 :])
    return [operand.update(shape=results), operand.update(shape=results, dtype=dtypes.int32)]


_MOST = 2**31


def _evaluate_top_k(np: ModuleType, operand: host.Array, *, k: int, axis: int) -> list[Any]:
    indices = orders.greatest(in_compute_dtype(operand), k, axis)
    return [orders.taken(operand, indices, axis), indices.astype(np.int32)]


def _jvp_top_k(
    primals: Sequence[Any], tangents: Sequence[Any], *, k: int, axis: int
) -> tuple[list[Any], list[Any]]:
    values, indices = top_k_p.bind(*primals, k=k, axis=axis)
    return [values, indices], [take_along(tangents[0], indices, axis), zero_of(indices)]


def _batch_top_k(
    data: AxisData, operands: Sequence[Any], dims: Sequence[int], *, k: int, axis: int
) -> tuple[list[Any], list[int]]:
    (operand,), (dim,) = operands, dims
    return top_k_p.bind(operand, k=k, axis=axis + (dim <= axis)), [dim, dim]


top_k_p = Primitive(
    "top_k",
    abstract=_abstract_top_k,
    evaluate=_evaluate_top_k,
    jvp=_jvp_top_k,
    batch=_batch_top_k,
    lower=Kernel("top_k"),
    multiple_results=True,
    exact=True,
)
