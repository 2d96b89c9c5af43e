"""Elements at positions along an axis: the same for all lanes, or their own for each."""

from __future__ import annotations

import string
from typing import Any

from oakum import errors, lax
from oakum import numpy as jnp
from oakum.dtypes import Kind
from oakum.lax.options import GatherDimensionNumbers, GatherScatterMode
from oakum.numpy import arguments, gather_plan, index_items


def _positions(function: str, indices: Any, size: int, *, wrap: bool) -> Any:
    """Integer positions along an axis, counted from the front."""
    if not arguments.is_kind(indices, Kind.INT, Kind.UINT):
        raise errors.DTypeError(
            f"{function} indices must be of integer type, got {arguments.dtype_of(indices)}",
            hint="Convert the indices with astype(int).",
        )
    return gather_plan.position(indices, size, index_items.index_dtype((size,)), wrap=wrap)


def take(
    a: Any,
    indices: Any,
    axis: int | None,
    mode: Any,
    *,
    fill_value: Any = None,
    unique_indices: bool = False,
    indices_are_sorted: bool = False,
) -> Any:
    """The elements at positions along an axis, of the flattened array without one."""
    a, indices = arguments.arrays("take", a, indices)
    if axis is None:
        a, axis = lax.reshape(a, (arguments.size_of(a),)), 0
    axis = arguments.axis(axis, arguments.rank_of(a))
    shape = arguments.shape_of(a)
    picked = arguments.shape_of(indices)
    result = (*shape[:axis], *picked, *shape[axis + 1 :])
    if shape[axis] == 0 and arguments.size_of(indices):
        raise errors.ShapeError("Cannot do a non-empty jnp.take() from an empty axis.")
    how, wrap = _mode(mode)
    if mode == "wrap" and shape[axis]:
        indices = jnp.remainder(
            indices, arguments.convert(shape[axis], arguments.dtype_of(indices))
        )
    where = _positions("take", indices, shape[axis], wrap=wrap)
    if 0 in result:
        return lax.full_like(a, 0, shape=result)
    behind = range(axis + len(picked), len(result))
    numbers = GatherDimensionNumbers((*range(axis), *behind), (axis,), (axis,))
    return lax.gather(
        a,
        lax.reshape(where, (*picked, 1)),
        numbers,
        (*shape[:axis], 1, *shape[axis + 1 :]),
        mode=how,
        fill_value=fill_value,
        unique_indices=unique_indices,
        indices_are_sorted=indices_are_sorted,
    )


def _mode(mode: Any) -> tuple[GatherScatterMode, bool]:
    """How a mode of `take` gathers, and whether negative positions count from the end."""
    if mode is None or mode == "fill":
        return GatherScatterMode.FILL_OR_DROP, True
    if mode == "wrap":
        return GatherScatterMode.PROMISE_IN_BOUNDS, False
    if mode == "clip":
        return GatherScatterMode.CLIP, False
    if mode == "raise":
        raise NotImplementedError("The 'raise' mode to jnp.take is not supported.")
    raise ValueError(f"Invalid mode '{mode}' for np.take")


def take_along_axis(
    arr: Any, indices: Any, axis: int | None, mode: Any, fill_value: Any, wrap: bool | None
) -> Any:
    """The elements at positions along an axis, in which every lane has its own positions."""
    a, indices = arguments.arrays("take_along_axis", arr, indices)
    if not arguments.is_kind(indices, Kind.INT, Kind.UINT):
        raise errors.DTypeError(
            f"take_along_axis indices must be of integer type, got {arguments.dtype_of(indices)}"
        )
    if axis is None:
        if arguments.rank_of(indices) != 1:
            raise errors.ShapeError(
                "take_along_axis indices must be 1D if axis=None, got shape "
                f"{arguments.shape_of(indices)}"
            )
        a, axis = lax.reshape(a, (arguments.size_of(a),)), 0
    rank = arguments.rank_of(a)
    if rank != arguments.rank_of(indices):
        raise errors.ShapeError(
            "indices and arr must have the same number of dimensions; "
            f"{arguments.rank_of(indices)} vs. {rank}"
        )
    axis = arguments.axis(axis, rank)
    size = arguments.shape_of(a)[axis]
    lanes = tuple(1 if i == axis else n for i, n in enumerate(arguments.shape_of(a)))
    result = arguments.broadcast_shapes(arguments.shape_of(indices), lanes)
    if size == 0:
        return lax.full(result, 0, arguments.dtype_of(a))
    wraps = mode != "promise_in_bounds" if wrap is None else wrap
    where = _positions("take_along_axis", indices, size, wrap=wraps)
    if mode == "one_hot":
        return _by_product(a, where, axis)
    where = arguments.broadcast_to(where, result)
    return _gather_lanes(a, where, axis, "fill" if mode is None else mode, fill_value)


def _gather_lanes(a: Any, where: Any, axis: int, mode: Any, fill_value: Any) -> Any:
    """A gather whose other axes are those of the lanes; axes of length one are left out of it."""
    shape = arguments.shape_of(a)
    result = arguments.shape_of(where)
    repeated = [i for i, n in enumerate(shape) if i != axis and n == 1 != result[i]]
    batch = [i for i in range(len(shape)) if i != axis and i not in repeated]
    kept = [i for i in range(len(shape)) if i not in repeated]
    numbers = GatherDimensionNumbers(
        offset_dims=(),
        collapsed_slice_dims=(kept.index(axis),),
        start_index_map=(kept.index(axis),),
        operand_batching_dims=tuple(kept.index(i) for i in batch),
        start_indices_batching_dims=tuple(batch),
    )
    return lax.gather(
        lax.squeeze(a, tuple(repeated)),
        lax.reshape(where, (*result, 1)),
        numbers,
        (1,) * len(kept),
        mode=mode,
        fill_value=fill_value,
    )


def _by_product(a: Any, where: Any, axis: int) -> Any:
    """The elements as sums of products with zeros and a one."""
    size = arguments.shape_of(a)[axis]
    shape = (*arguments.shape_of(where), size)
    places = lax.broadcasted_iota(arguments.dtype_of(where), shape, len(shape) - 1)
    hot = lax.eq(lax.broadcast_in_dim(where, shape, tuple(range(len(shape) - 1))), places)
    lead, rest = (
        string.ascii_letters[:axis],
        string.ascii_uppercase[: arguments.rank_of(a) - axis - 1],
    )
    formula = f"{lead}y{rest}z,{lead}z{rest}->{lead}y{rest}"
    if not rest:
        formula = f"{lead}yz,{lead}z->{lead}y"
    return jnp.einsum(
        formula,
        hot,
        a,
        precision=lax.Precision.HIGHEST,
        preferred_element_type=arguments.dtype_of(a),
    )
