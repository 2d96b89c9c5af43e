"""The greatest or least elements along an axis, where some may be missed: here none is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from types import ModuleType
from typing import Any, TypedDict, Unpack

from oakum import dtypes
from oakum.dtypes import Kind
from oakum.errors import DTypeError, ShapeError
from oakum.primitives import orders
from oakum.primitives.rules.arguments import shape_of
from oakum.primitives.rules.derivatives import zero_of
from oakum.primitives.rules.numpy_evaluation import in_compute_dtype
from oakum.primitives.sorting import take_along
from oakum.tracing.trace import AxisData, Primitive
from oakum.values import host
from oakum.values.avals import ShapedArray

_LANES = 128
_CHUNK = 1024


class _Params(TypedDict):
    k: int
    reduction_dimension: int
    recall_target: float
    is_max_k: bool
    reduction_input_size_override: int
    aggregate_to_topk: bool


def _abstract(
    operand: ShapedArray,
    *,
    k: int,
    reduction_dimension: int,
    recall_target: float,
    is_max_k: bool,
    reduction_input_size_override: int,
    aggregate_to_topk: bool,
) -> list[ShapedArray]:
    shape: Any = operand.shape
    if k <= 0:
        raise ShapeError(f"k must be positive, got {k}", hint="Give a positive k.")
    if not shape:
        raise ShapeError(
            f"approx_top_k operand must have >= 1 dimension, got {shape}", hint="Give a vector."
        )
    if not 0 < recall_target <= 1:
        raise ShapeError(
            f"recall_target must be above 0 and at most 1, got {recall_target}",
            hint="Give the part of the largest elements that has to be found.",
        )
    size = shape[reduction_dimension]
    if size < k:
        raise ShapeError(
            f"k must be smaller than the size of reduction_dim {size}, got {k}",
            hint=f"Give a k from 1 to {size}.",
        )
    if operand.dtype is None or operand.dtype.kind is not Kind.FLOAT:
        raise DTypeError("operand must be a floating type", hint="Convert it with astype.")
    count = k
    if not aggregate_to_topk:
        override = reduction_input_size_override
        count = _candidates(size, len(shape), k, recall_target, override if override >= 0 else size)
    sizes = list(shape)
    sizes[reduction_dimension] = count
    out = tuple(sizes)
    return [operand.update(shape=out), operand.update(shape=out, dtype=dtypes.int32)]


def _candidates(size: int, rank: int, k: int, recall: float, whole: int) -> int:
    """Returns how many elements remain for a recall after tiles are reduced by powers of two."""
    tile = _CHUNK if rank == 1 else _LANES
    if size <= tile:
        return size
    if k == 1:
        return tile
    least = min(max(int((1.0 - k) / math.log(recall)), tile), size)
    halvings = int(math.log2(whole / least)) if whole > least else 0
    if halvings <= 0:
        return size
    tiles = -(-size // tile)
    halvings = min(halvings, math.ceil(math.log2(tiles)))
    return tile * -(-tiles // 2**halvings)


def _evaluate(np: ModuleType, operand: host.Array, **params: Unpack[_Params]) -> list[Any]:
    aval = ShapedArray(operand.shape, dtypes.float32)
    axis: int = params["reduction_dimension"]
    count = shape_of(_abstract(aval, **params)[0])[axis]
    keys = in_compute_dtype(operand)
    keys = np.where(np.isnan(keys), -np.inf, keys) if params["is_max_k"] else keys
    order = orders.order(-keys if params["is_max_k"] else keys, axis)
    indices = np.take(order, range(count), axis)
    return [orders.taken(operand, indices, axis), indices.astype(np.int32)]


def _jvp(
    primals: Sequence[Any], tangents: Sequence[Any], **params: Unpack[_Params]
) -> tuple[Any, Any]:
    values, indices = approx_top_k_p.bind(*primals, **params)
    tangent = take_along(tangents[0], indices, params["reduction_dimension"])
    return [values, indices], [tangent, zero_of(indices)]


def _batch(
    axis: AxisData,
    operands: Sequence[Any],
    dims: Sequence[int],
    *,
    reduction_dimension: int,
    **params: object,
) -> tuple[list[Any], list[int]]:
    (operand,), (dim,) = operands, dims
    moved = reduction_dimension + (dim <= reduction_dimension)
    return approx_top_k_p.bind(operand, reduction_dimension=moved, **params), [dim, dim]


approx_top_k_p = Primitive(
    "approx_top_k",
    abstract=_abstract,
    evaluate=_evaluate,
    jvp=_jvp,
    batch=_batch,
    multiple_results=True,
)
