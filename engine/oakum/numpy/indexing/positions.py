"""Indices of the elements that are not zero, of diagonals, of triangles and of grids."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from oakum import dtypes, errors, lax
from oakum import numpy as jnp
from oakum.abstract import indexing, results, sorting
from oakum.array import Array
from oakum.dtypes import Kind
from oakum.numpy import arguments, shapes
from oakum.numpy.creation import filled
from oakum.tracing import concretization_errors
from oakum.typing import ArrayLike, DTypeLike, Shape
from oakum.values import host
from oakum.values.declarations import public
from oakum.values.facts import DynamicSize
from oakum.values.uses import Use


@public(
    "numpy.nonzero",
    sorting.nonzero,
    sizes=("size",),
    dynamic_size=DynamicSize("size", ("a",)),
)
def nonzero(
    a: ArrayLike,
    *,
    size: int | None = None,
    fill_value: ArrayLike | tuple[ArrayLike, ...] | None = None,
) -> tuple[Array, ...]:
    """Returns the indices of the elements that are not zero."""
    return _nonzero(a, size, fill_value)


def _nonzero(a: Any, size: int | None, fill_value: Any) -> tuple[Any, ...]:
    """Returns the positions along each axis of the elements that are not zero, `size` of them if
    given.
    """
    (a,) = arguments.arrays("nonzero", a)
    shape = arguments.shape_of(a)
    if not shape:
        raise ValueError(
            "Calling nonzero on 0d arrays is not allowed. Use jnp.atleast_1d(scalar).nonzero() "
            "instead."
        )
    index = arguments.default_int()
    if size is None:
        # The comparison is an operation: in a staged trace it is staged, on constants too.
        flags = lax.ne(a, lax.full_like(a, 0))
        found = arguments.demand(flags, "jnp.nonzero() without size").nonzero()
        return tuple(jnp.asarray(each, host.dtype(index)) for each in found)
    count = arguments.size(size, "size of jnp.nonzero()")
    if arguments.size_of(a) == 0 or count == 0:
        empty = lax.full((count,), 0, index)
        filled = _filled([empty] * len(shape), lax.full((count,), True, bool), fill_value)
        return tuple(filled) if arguments.size_of(a) == 0 and count else tuple([empty] * len(shape))
    mask = a if arguments.is_kind(a, Kind.BOOL) else lax.ne(a, lax.full_like(a, 0))
    flat, missing = _first(lax.reshape(mask, (arguments.size_of(a),)), count, index)
    strides = [math.prod(shape[i + 1 :]) for i in range(len(shape))]
    found = [
        lax.rem(lax.div(flat, lax.full_like(flat, stride)), lax.full_like(flat, n))
        for stride, n in zip(strides, shape, strict=True)
    ]
    return tuple(_filled(found, missing, fill_value))


def _filled(found: list[Any], missing: object, fill_value: Any) -> list[Any]:
    if fill_value is None:
        return found
    values: Sequence[Any] = (
        fill_value if arguments.is_tuple(fill_value) else (fill_value,) * len(found)
    )
    if any(arguments.rank_of(value) for value in values):
        raise ValueError(
            f"fill_value must be a scalar or a tuple of length {len(found)}; got {fill_value}"
        )
    return [jnp.where(missing, v, each) for v, each in zip(values, found, strict=True)]


def _first(mask: ArrayLike, count: int, index: dtypes.DType) -> tuple[Any, Any]:
    """Returns the first positions at which a flat mask is true, and which of them are missing."""
    size = arguments.size_of(mask)
    ranks = lax.cumsum(lax.convert_element_type(mask, index))
    beyond = lax.full_like(ranks, count)
    target = lax.select(mask, lax.sub(ranks, lax.full_like(ranks, 1)), beyond)
    places = lax.iota(index, size)
    # A missing position stands behind the last one; without a fill value it counts as zero.
    flat = lax.full((count,), 0, index).at[target].set(places, mode="drop")
    total = lax.index_in_dim(ranks, size - 1, 0, keepdims=False)
    missing = lax.ge(lax.iota(index, count), lax.broadcast_in_dim(total, (count,), ()))
    return flat, missing


@public(
    "numpy.flatnonzero",
    sorting.flatnonzero,
    sizes=("size",),
    dynamic_size=DynamicSize("size", ("a",)),
)
def flatnonzero(
    a: ArrayLike,
    *,
    size: int | None = None,
    fill_value: ArrayLike | tuple[ArrayLike, ...] | None = None,
) -> Array:
    """Returns the flat indices of the elements that are not zero."""
    return _nonzero(shapes.ravel(a), size, fill_value)[0]


@public(
    "numpy.argwhere",
    sorting.argwhere,
    sizes=("size",),
    dynamic_size=DynamicSize("size", ("a",)),
)
def argwhere(
    a: ArrayLike, *, size: int | None = None, fill_value: ArrayLike | None = None
) -> Array:
    """Returns the indices of the elements that are not zero, one row each."""
    (a,) = arguments.arrays("argwhere", a)
    columns = _nonzero(jnp.atleast_1d(a), size, fill_value)
    rows = jnp.stack(columns, axis=1)
    return rows if arguments.rank_of(a) else rows[:, :0]


@public("numpy.unravel_index", indexing.unravelled)
def unravel_index(indices: ArrayLike, shape: Shape) -> tuple[Array, ...]:
    """Converts flat indices to indices for each axis."""
    (rest,) = arguments.arrays("unravel_index", indices)
    sizes: list[Any] = list(shape) if hasattr(shape, "__iter__") else [shape]
    if any(arguments.rank_of(each) for each in sizes):
        raise ValueError("unravel_index: shape should be a scalar or 1D sequence.")
    found: list[Any] = []
    for size in reversed(sizes):
        rest, place = jnp.divmod(rest, size)
        found.append(place)
    beyond = jnp.greater(rest, 0)
    signed = not arguments.is_kind(rest, Kind.UINT)
    before = jnp.less(rest, -1) if signed else False
    pairs = zip(sizes, reversed(found), strict=True)
    return tuple(jnp.where(beyond, n - 1, jnp.where(before, 0, place)) for n, place in pairs)


@public("numpy.ravel_multi_index", results.array, static=("dims", "mode", "order"))
def ravel_multi_index(
    multi_index: Sequence[ArrayLike],
    dims: Sequence[int],
    mode: str = "raise",
    order: str = "C",
    *,
    dtype: DTypeLike | None = None,
) -> Array:
    """Converts indices for each axis to flat indices."""
    if len(multi_index) != len(dims):
        raise AssertionError(f"len(multi_index)={len(multi_index)} != len(dims)={len(dims)}")
    sizes = [arguments.size(each, "dims of jnp.ravel_multi_index()") for each in dims]
    places = arguments.arrays("ravel_multi_index", *multi_index)
    wanted = _flat_dtype(places, dtype)
    if wanted.kind not in (Kind.INT, Kind.UINT):
        raise ValueError(f"dtype={wanted} is not an integer type.")
    if math.prod(sizes) - 1 > host.np.iinfo(host.dtype(wanted)).max:
        raise ValueError(
            f"jnp.ravel_multi_index: dtype={wanted} not large enough to hold flattened index for "
            f"dims={tuple(sizes)}. Use the dtype argument to pass a suitable dtype."
        )
    places = [_bounded(each, n, mode) for each, n in zip(places, sizes, strict=True)]
    if order not in ("C", "F"):
        raise ValueError(f"invalid order={order!r}. Expected 'C' or 'F'")
    strides = [
        math.prod(sizes[i + 1 :]) if order == "C" else math.prod(sizes[:i])
        for i in range(len(sizes))
    ]
    result: Any = arguments.convert(0, wanted)
    for place, stride in zip(places, strides, strict=True):
        step = arguments.convert(stride, wanted)
        result = jnp.add(result, jnp.multiply(arguments.convert(place, wanted), step))
    return result


def _bounded(place: Any, size: int, mode: str) -> Any:
    """Returns positions along an axis, checked or moved into its bounds."""
    if not arguments.is_kind(place, Kind.INT, Kind.UINT):
        raise errors.DTypeError("only int indices permitted")
    if mode == "clip":
        return jnp.clip(place, 0, size - 1)
    if mode == "wrap":
        return jnp.remainder(place, size)
    if mode == "raise":
        data = arguments.known(place)
        if data is None:
            raise concretization_errors.concretization_error(
                place,
                Use.OPTION,
                "The error occurred because ravel_multi_index was jit-compiled with mode='raise'. "
                "Use mode='wrap' or mode='clip' instead. An index",
            )
        if ((data < 0) | (data >= size)).any():
            raise ValueError("invalid entry in coordinates array")
    elif mode != "ignore":
        raise ValueError(f"invalid mode={mode!r}. Expected 'raise', 'wrap', 'clip', or 'ignore'.")
    return place


def _flat_dtype(places: list[Any], dtype: Any) -> dtypes.DType:
    if dtype is not None:
        return arguments.requested_dtype(dtype)
    return arguments.dtype_of(arguments.promote(0, *places)[0])


@public("numpy.diag_indices", indexing.diagonal_indices, static=("ndim",), sizes=("n",))
def diag_indices(n: int, ndim: int = 2) -> tuple[Array, ...]:
    """Returns the indices of the main diagonal."""
    return _diagonal(n, ndim)


def _diagonal(n: Any, ndim: Any) -> tuple[Any, ...]:
    """Returns the positions of the main diagonal of an array of equal sizes."""
    size = arguments.size(n, "'n' argument of jnp.diag_indices()")
    rank = arguments.size(ndim, "'ndim' argument of jnp.diag_indices()")
    for name, value in (("n", size), ("ndim", rank)):
        if value < 0:
            raise ValueError(f"{name} argument to diag_indices must be nonnegative, got {value}")
    return (lax.iota(arguments.default_int(), size),) * rank


@public("numpy.diag_indices_from", indexing.diagonal_indices_from)
def diag_indices_from(arr: ArrayLike) -> tuple[Array, ...]:
    """Returns the indices of the main diagonal of an array."""
    (arr,) = arguments.arrays("diag_indices_from", arr)
    shape = arguments.shape_of(arr)
    if len(shape) < 2:
        raise errors.ShapeError("input array must be at least 2-d")
    if len(set(shape)) != 1:
        raise errors.ShapeError("All dimensions of input must be of equal length")
    return _diagonal(shape[0], len(shape))


@public("numpy.tril_indices", results.Arrays(2), static=("k",), sizes=("n", "m"))
def tril_indices(n: int, k: int = 0, m: int | None = None) -> tuple[Array, Array]:
    """Returns the indices of a lower triangle."""
    return _triangle(n, k, m, lower=True)


def _triangle(n: Any, k: Any, m: Any, *, lower: bool) -> tuple[Any, Any]:
    """Returns the positions of a triangle of a matrix."""
    name = "tril_indices" if lower else "triu_indices"
    rows = arguments.size(n, f"n argument of jnp.{name}")
    offset = arguments.size(k, f"k argument of jnp.{name}")
    columns = rows if m is None else arguments.size(m, f"m argument of jnp.{name}")
    if min(rows, columns) < 0:
        raise errors.ShapeError(
            f"jnp.{name} takes sizes from zero on, got {rows} and {columns}",
            hint="Give sizes from zero on.",
        )
    mask = host.np.tri(rows, columns, offset if lower else offset - 1, dtype=bool)
    found = (mask if lower else ~mask).nonzero()
    index = host.dtype(arguments.default_int())
    first, second = (jnp.asarray(each.astype(index)) for each in found)
    return first, second


@public("numpy.tril_indices_from", results.Arrays(2), static=("k",))
def tril_indices_from(arr: Any, k: int = 0) -> tuple[Array, Array]:
    """Returns the indices of the lower triangle of an array."""
    rows, columns = _matrix_shape(arr, "tril_indices_from")
    return tril_indices(rows, k, columns)


def _matrix_shape(arr: Array, function: str) -> tuple[int, int]:
    """Returns the shape of a matrix, or of an object that has the shape of one."""
    shape = tuple(arr.shape) if hasattr(arr, "shape") else arguments.shape_of(arr)
    if len(shape) != 2:
        raise ValueError(f"Only 2-D inputs are accepted by {function}")
    return shape


@public("numpy.triu_indices", results.Arrays(2), static=("k",), sizes=("n", "m"))
def triu_indices(n: int, k: int = 0, m: int | None = None) -> tuple[Array, Array]:
    """Returns the indices of an upper triangle."""
    return _triangle(n, k, m, lower=False)


@public("numpy.triu_indices_from", results.Arrays(2), static=("k",))
def triu_indices_from(arr: Any, k: int = 0) -> tuple[Array, Array]:
    """Returns the indices of the upper triangle of an array."""
    rows, columns = _matrix_shape(arr, "triu_indices_from")
    return triu_indices(rows, k, columns)


@public("numpy.mask_indices", results.Arrays(2), static=("k",), sizes=("n", "size"))
def mask_indices(
    n: int, mask_func: Callable[[ArrayLike, int], Array], k: int = 0, *, size: int | None = None
) -> tuple[Array, Array]:
    """Returns the indices where a function that masks a square matrix leaves it."""
    rows, columns = _nonzero(mask_func(filled.ones((n, n)), k), size, None)
    return rows, columns


@public("numpy.ix_")
def ix_(*args: ArrayLike) -> tuple[Array, ...]:
    """Makes index arrays that select a grid of rows, columns and so on."""
    arrays = arguments.arrays("ix", *args)
    result: list[Any] = []
    for i, each in enumerate(arrays):
        if arguments.rank_of(each) != 1:
            raise errors.ShapeError(
                "Arguments to jax.numpy.ix_ must be 1-dimensional, got shape "
                f"{arguments.shape_of(each)}"
            )
        if arguments.is_kind(each, Kind.BOOL):
            raise NotImplementedError("Boolean arguments to jax.numpy.ix_ are not implemented")
        shape = tuple(arguments.size_of(each) if j == i else 1 for j in range(len(arrays)))
        if arguments.size_of(each) == 0:
            result.append(lax.full(shape, 0, arguments.default_int()))
        else:
            result.append(lax.reshape(each, shape))
    return tuple(result)
