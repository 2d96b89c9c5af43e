"""Arrays with elements put at indices, and where a condition holds."""

from __future__ import annotations

from typing import Any

from oakum import errors, lax
from oakum import numpy as jnp
from oakum.abstract import indexing, results
from oakum.array import Array
from oakum.numpy.operands import arguments
from oakum.typing import ArrayLike
from oakum.values.declarations import public


@public("numpy.put", results.first, static=("mode", "inplace"))
def put(
    a: ArrayLike, ind: ArrayLike, v: ArrayLike, mode: str | None = None, *, inplace: bool = True
) -> Array:
    """Gives an array with values written at flat indices."""
    _refuse_inplace("put", inplace)
    x, ind_array, v_array = arguments.arrays("put", a, ind, v)
    where, values = jnp.ravel(ind_array), jnp.ravel(v_array)
    if 0 in (arguments.size_of(x), arguments.size_of(where), arguments.size_of(values)):
        return x
    values = _repeated_to(values, arguments.size_of(where))
    size = arguments.size_of(x)
    if mode == "clip":
        where = jnp.clip(where, 0, size - 1)
    elif mode == "wrap":
        where = jnp.remainder(where, size)
    elif mode == "raise":
        raise NotImplementedError("The 'raise' mode to jnp.put is not supported.")
    elif mode is not None:
        raise ValueError(f"mode should be one of 'wrap' or 'clip'; got mode={mode!r}")
    how = "drop" if mode is None else "promise_in_bounds"
    return x.at[jnp.unravel_index(where, arguments.shape_of(x))].set(values, mode=how)


def _repeated_to(values: ArrayLike, size: int) -> Any:
    """A vector repeated or cut to a length."""
    have = arguments.size_of(values)
    if have < size:
        values = jnp.tile(values, -(-size // have))
    return lax.slice_in_dim(values, 0, size)


def _refuse_inplace(function: str, inplace: bool) -> None:
    if inplace:
        raise ValueError(
            f"jax.numpy.{function} cannot modify arrays in-place, because JAX arrays are "
            "immutable. Pass inplace=False to instead return an updated array."
        )


@public("numpy.put_along_axis", indexing.put_along_axis, static=("axis", "inplace", "mode"))
def put_along_axis(
    arr: ArrayLike,
    indices: ArrayLike,
    values: ArrayLike,
    axis: int | None,
    inplace: bool = True,
    *,
    mode: str | None = None,
) -> Array:
    """Gives an array with values written along an axis, at an index of its own for each lane."""
    _refuse_inplace("put_along_axis", inplace)
    x, indices_array, values_array = arguments.arrays("put_along_axis", arr, indices, values)
    shape = arguments.shape_of(x)
    if axis is None:
        x, axis = jnp.ravel(x), 0
    rank = arguments.rank_of(x)
    if rank != arguments.rank_of(indices_array):
        raise errors.ShapeError(
            "put_along_axis arguments 'arr' and 'indices' must have same ndim. Got "
            f"arr.ndim={rank} and indices.ndim={arguments.rank_of(indices_array)}."
        )
    try:
        values_array = arguments.broadcast_to(values_array, arguments.shape_of(indices_array))
    except errors.ShapeError as error:
        raise errors.ShapeError(
            "put_along_axis argument 'values' must be broadcastable to 'indices'. Got "
            f"values.shape={arguments.shape_of(values_array)} and "
            f"indices.shape={arguments.shape_of(indices_array)}."
        ) from error
    grid = list(jnp.indices(arguments.shape_of(x), sparse=True))
    grid[arguments.axis(axis, rank)] = indices_array
    return lax.reshape(x.at[tuple(grid)].set(values_array, mode=mode), shape)


@public("numpy.place", results.first, static=("inplace",))
def place(arr: ArrayLike, mask: ArrayLike, vals: ArrayLike, *, inplace: bool = True) -> Array:
    """Gives an array with values written where a mask is true."""
    _refuse_inplace("place", inplace)
    x, mask_array, vals_array = arguments.arrays("place", arr, mask, vals)
    size = arguments.size_of(x)
    if size != arguments.size_of(mask_array):
        raise errors.ShapeError("place: arr and mask must be the same size")
    if not arguments.size_of(vals_array):
        raise ValueError("Cannot place values from an empty array")
    if not size:
        return x
    where = jnp.nonzero(jnp.ravel(mask_array), size=size, fill_value=size)[0]
    values = _repeated_to(jnp.ravel(vals_array), size)
    return lax.reshape(jnp.ravel(x).at[where].set(values, mode="drop"), arguments.shape_of(x))


@public("numpy.fill_diagonal", results.first, static=("wrap", "inplace"))
def fill_diagonal(
    a: ArrayLike, val: ArrayLike, wrap: bool = False, *, inplace: bool = True
) -> Array:
    """Gives an array with values written on its diagonal."""
    if inplace:
        raise NotImplementedError("JAX arrays are immutable, must use inplace=False")
    if wrap:
        raise NotImplementedError("wrap=True is not implemented, must use wrap=False")
    x, val_array = arguments.arrays("fill_diagonal", a, val)
    shape = arguments.shape_of(x)
    if len(shape) < 2:
        raise errors.ShapeError("array must be at least 2-d")
    if len(shape) > 2 and len(set(shape)) > 1:
        raise errors.ShapeError("All dimensions of input must be of equal length")
    size = min(shape)
    values = (
        val_array if arguments.rank_of(val_array) == 0 else _repeated_to(jnp.ravel(val_array), size)
    )
    return x.at[jnp.diag_indices(size, len(shape))].set(values)
