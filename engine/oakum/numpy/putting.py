"""Copies of arrays with values written at positions: what NumPy does in place."""

from __future__ import annotations

from typing import Any

from oakum import errors, lax
from oakum import numpy as jnp
from oakum.numpy import arguments


def _refuse_inplace(function: str, inplace: bool) -> None:
    if inplace:
        raise ValueError(
            f"jax.numpy.{function} cannot modify arrays in-place, because JAX arrays are "
            "immutable. Pass inplace=False to instead return an updated array."
        )


def repeated_to(values: Any, size: int) -> Any:
    """A vector repeated or cut to a length."""
    have = arguments.size_of(values)
    if have < size:
        values = jnp.tile(values, -(-size // have))
    return lax.slice_in_dim(values, 0, size)


def put(a: Any, ind: Any, v: Any, mode: str | None, inplace: bool) -> Any:
    """The array with values written at positions of the flattened array."""
    _refuse_inplace("put", inplace)
    a, ind, v = arguments.arrays("put", a, ind, v)
    where, values = jnp.ravel(ind), jnp.ravel(v)
    if 0 in (arguments.size_of(a), arguments.size_of(where), arguments.size_of(values)):
        return a
    values = repeated_to(values, arguments.size_of(where))
    size = arguments.size_of(a)
    if mode == "clip":
        where = jnp.clip(where, 0, size - 1)
    elif mode == "wrap":
        where = jnp.remainder(where, size)
    elif mode == "raise":
        raise NotImplementedError("The 'raise' mode to jnp.put is not supported.")
    elif mode is not None:
        raise ValueError(f"mode should be one of 'wrap' or 'clip'; got mode={mode!r}")
    how = "drop" if mode is None else "promise_in_bounds"
    return a.at[jnp.unravel_index(where, arguments.shape_of(a))].set(values, mode=how)


def put_along_axis(
    arr: Any, indices: Any, values: Any, axis: int | None, inplace: bool, mode: str | None
) -> Any:
    """The array with values written along an axis, each lane at positions of its own."""
    _refuse_inplace("put_along_axis", inplace)
    arr, indices, values = arguments.arrays("put_along_axis", arr, indices, values)
    shape = arguments.shape_of(arr)
    if axis is None:
        arr, axis = jnp.ravel(arr), 0
    rank = arguments.rank_of(arr)
    if rank != arguments.rank_of(indices):
        raise errors.ShapeError(
            "put_along_axis arguments 'arr' and 'indices' must have same ndim. Got "
            f"arr.ndim={rank} and indices.ndim={arguments.rank_of(indices)}."
        )
    try:
        values = arguments.broadcast_to(values, arguments.shape_of(indices))
    except errors.ShapeError as error:
        raise errors.ShapeError(
            "put_along_axis argument 'values' must be broadcastable to 'indices'. Got "
            f"values.shape={arguments.shape_of(values)} and "
            f"indices.shape={arguments.shape_of(indices)}."
        ) from error
    grid = list(jnp.indices(arguments.shape_of(arr), sparse=True))
    grid[arguments.axis(axis, rank)] = indices
    return lax.reshape(arr.at[tuple(grid)].set(values, mode=mode), shape)


def place(arr: Any, mask: Any, vals: Any, inplace: bool) -> Any:
    """The array with values, in turn, where a mask is true."""
    _refuse_inplace("place", inplace)
    arr, mask, vals = arguments.arrays("place", arr, mask, vals)
    size = arguments.size_of(arr)
    if size != arguments.size_of(mask):
        raise errors.ShapeError("place: arr and mask must be the same size")
    if not arguments.size_of(vals):
        raise ValueError("Cannot place values from an empty array")
    if not size:
        return arr
    where = jnp.nonzero(jnp.ravel(mask), size=size, fill_value=size)[0]
    values = repeated_to(jnp.ravel(vals), size)
    return lax.reshape(jnp.ravel(arr).at[where].set(values, mode="drop"), arguments.shape_of(arr))


def fill_diagonal(a: Any, val: Any, wrap: bool, inplace: bool) -> Any:
    """The array with values written on its diagonal."""
    if inplace:
        raise NotImplementedError("JAX arrays are immutable, must use inplace=False")
    if wrap:
        raise NotImplementedError("wrap=True is not implemented, must use wrap=False")
    a, val = arguments.arrays("fill_diagonal", a, val)
    shape = arguments.shape_of(a)
    if len(shape) < 2:
        raise errors.ShapeError("array must be at least 2-d")
    if len(shape) > 2 and len(set(shape)) > 1:
        raise errors.ShapeError("All dimensions of input must be of equal length")
    size = min(shape)
    values = val if arguments.rank_of(val) == 0 else repeated_to(jnp.ravel(val), size)
    return a.at[jnp.diag_indices(size, len(shape))].set(values)
