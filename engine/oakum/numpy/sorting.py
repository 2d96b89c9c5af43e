"""Sorting, and searching in sorted arrays."""

from __future__ import annotations

from typing import Any, Final, cast

from oakum import dtypes, errors, lax
from oakum import numpy as jnp
from oakum.abstract import results, sorting
from oakum.array import Array
from oakum.dtypes import Kind
from oakum.lax.options import GatherDimensionNumbers, GatherScatterMode
from oakum.numpy import arguments, coercion
from oakum.typing import ArrayLike, DTypeLike
from oakum.values.declarations import public


@public("numpy.sort", sorting.sort, static=("axis", "kind", "order", "stable", "descending"))
def sort(
    a: ArrayLike,
    axis: int | None = -1,
    *,
    kind: None = None,
    order: None = None,
    stable: bool = True,
    descending: bool = False,
) -> Array:
    """Sorts along an axis."""
    (x,) = arguments.arrays("sort", a)
    _check_options("sort", kind, order)
    x, axis = _along(x, axis)
    result: Any = lax.sort(x, dimension=axis, is_stable=stable)
    return lax.rev(result, (axis,)) if descending else result


def _along(a: Array, axis: object) -> tuple[Any, int]:
    if axis is None:
        return lax.reshape(a, (arguments.size_of(a),)), 0
    return a, arguments.axis(axis, arguments.rank_of(a))


def _check_options(function: str, kind: object, order: object) -> None:
    if kind is not None:
        raise TypeError(
            f"'kind' argument to {function} is not supported. Use stable=True or stable=False to "
            "specify sort stability."
        )
    if order is not None:
        raise TypeError(f"'order' argument to {function} is not supported.")


@public("numpy.argsort", sorting.argsort, static=("axis", "kind", "order", "stable", "descending"))
def argsort(
    a: ArrayLike,
    axis: int | None = -1,
    *,
    kind: None = None,
    order: None = None,
    stable: bool = True,
    descending: bool = False,
    dtype: DTypeLike | None = None,
) -> Array:
    """Returns the order that sorts along an axis."""
    (x,) = arguments.arrays("argsort", a)
    _check_options("argsort", kind, order)
    if cast("object", stable) is None:
        # `np.argsort(x)` asks this method first, with None, and sorts by itself where that fails.
        raise TypeError("argsort got None for `stable`, which takes True or False")
    x, axis = _along(x, axis)
    index = arguments.default_int() if dtype is None else arguments.requested_dtype(dtype)
    places = lax.broadcasted_iota(index, arguments.shape_of(x), axis)
    # Of a stable descending order equal elements stay in theirs: two reversals keep them so.
    if descending and stable:
        x, places = lax.rev(x, (axis,)), lax.rev(places, (axis,))
    _, result = lax.sort_key_val(x, places, dimension=axis, is_stable=stable)
    return lax.rev(result, (axis,)) if descending else result


@public("numpy.lexsort", sorting.lexsort, static=("axis",))
def lexsort(keys: Any, axis: int = -1) -> Array:
    """Returns the order that sorts by several keys, of which the last counts most."""
    arrays = arguments.arrays("lexsort", *keys)
    if not arrays:
        raise TypeError("need sequence of keys with len > 0 in lexsort")
    shape = arguments.shape_of(arrays[0])
    if any(arguments.shape_of(each) != shape for each in arrays):
        raise errors.ShapeError("all keys need to be the same shape")
    index = arguments.default_int()
    if not shape:
        return lax.full((), 0, index)
    axis = arguments.axis(axis, len(shape))
    places = lax.broadcasted_iota(index, shape, axis)
    operands = (*arrays[::-1], places)
    return lax.sort(operands, dimension=axis, num_keys=len(arrays))[-1]


@public("numpy.sort_complex", results.array)
def sort_complex(a: ArrayLike) -> Array:
    """Sorts complex numbers by their real, then their imaginary parts."""
    (array,) = arguments.arrays("sort_complex", a)
    return arguments.convert(lax.sort(array), coercion.to_complex(arguments.dtype_of(array)))


@public("numpy.partition", sorting.sort, static=("kth", "axis"))
def partition(a: ArrayLike, kth: int, axis: int = -1) -> Array:
    """Moves the smaller elements before a position and the greater ones after it."""
    a, kth, axis = _partitioned("partition", a, kth, axis)
    size = arguments.shape_of(a)[-1]
    bottom = _negated(lax.top_k(_negated(a), kth + 1)[0])
    top = lax.top_k(a, size - kth - 1)[0]
    return jnp.swapaxes(lax.concatenate([bottom, top], arguments.rank_of(a) - 1), -1, axis)


def _negated(a: ArrayLike) -> Any:
    """Returns values in the opposite order."""
    if arguments.is_kind(a, Kind.UINT):
        return lax.neg(lax.add(a, lax.full_like(a, 1)))
    return lax.neg(a)


def _partitioned(function: str, a: Any, kth: Any, axis: Any) -> tuple[Any, int, int]:
    (a,) = arguments.arrays("partition", a)
    if arguments.is_kind(a, Kind.COMPLEX):
        raise NotImplementedError(f"jnp.{function} for complex dtype is not implemented.")
    place = arguments.axis(axis, arguments.rank_of(a))
    length = arguments.shape_of(a)[place]
    return jnp.swapaxes(a, place, -1), arguments.axis(kth, length), place


@public("numpy.argpartition", sorting.argpartition, static=("kth", "axis"))
def argpartition(a: ArrayLike, kth: int, axis: int = -1) -> Array:
    """Returns an order that moves smaller elements before a position."""
    a, kth, axis = _partitioned("argpartition", a, kth, axis)
    shape = arguments.shape_of(a)
    bottom = lax.top_k(_negated(a), kth + 1)[1]
    taken = jnp.put_along_axis(jnp.ones(shape), bottom, 0.0, -1, inplace=False)
    top = lax.top_k(taken, shape[-1] - kth - 1)[1]
    return jnp.swapaxes(lax.concatenate([bottom, top], len(shape) - 1), -1, axis)


@public("numpy.searchsorted", sorting.searchsorted, static=("side", "method"))
def searchsorted(
    a: ArrayLike,
    v: ArrayLike,
    side: str = "left",
    sorter: ArrayLike | None = None,
    *,
    method: str = "scan",
) -> Array:
    """Finds where values fit into a sorted array."""
    x, v_array = arguments.arrays("searchsorted", a, v)
    if arguments.rank_of(x) != 1:
        raise errors.ShapeError("a should be 1-dimensional")
    if side not in ("left", "right"):
        raise ValueError(f"invalid argument side={side!r}, expected 'left' or 'right'")
    if method not in _METHODS:
        raise ValueError(f"invalid argument method={method!r}, expected one of {list(_METHODS)}")
    x, v_array = arguments.promote(x, v_array)
    if sorter is not None:
        (sorter,) = arguments.arrays("searchsorted", sorter)
        x = x[sorter]
    return _halve(x, v_array, before_equal=side == "left")


def _halve(a: ArrayLike, v: ArrayLike, *, before_equal: bool) -> Any:
    """Returns the number of elements that are certainly before each value.

    Each round looks at the last element of the first half of what is left, which is as long for
    all values: no place has to be checked.
    """
    size, rank = arguments.size_of(a), arguments.rank_of(v)
    first = lax.full(arguments.shape_of(v), 0, dtypes.int32)

    def moved(first: ArrayLike, half: int) -> Any:
        """Returns where what is left begins, without the first half if that comes before the
        value.
        """
        last = lax.add(first, lax.full_like(first, half - 1))
        element = lax.gather(a, lax.expand_dims(last, [rank]), _ALONE, (1,), mode=_INSIDE)
        is_left = _less(element, v) if before_equal else lax.bitwise_not(_less(v, element))
        return lax.select(is_left, lax.add(first, lax.full_like(first, half)), first)

    while size > 1:
        first = moved(first, size // 2)
        size -= size // 2
    return moved(first, 1) if size else first


def _less(x: ArrayLike, y: ArrayLike) -> Any:
    """Returns whether elements come before others when they are sorted: NaNs last, complex by
    parts.
    """
    if not arguments.is_kind(x, Kind.COMPLEX):
        return _less_real(x, y)
    real = lax.real(x), lax.real(y)
    imag = lax.imag(x), lax.imag(y)
    tied = lax.bitwise_not(lax.bitwise_or(_less_real(*real), _less_real(*real[::-1])))
    return lax.bitwise_or(_less_real(*real), lax.bitwise_and(tied, _less_real(*imag)))


def _less_real(x: ArrayLike, y: ArrayLike) -> Any:
    below = lax.lt(x, y)
    if not arguments.is_kind(x, Kind.FLOAT):
        return below
    last = lax.bitwise_and(lax.ne(y, y), lax.eq(x, x))
    return lax.bitwise_or(below, last)


_INSIDE: Final = GatherScatterMode.PROMISE_IN_BOUNDS


_ALONE: Final = GatherDimensionNumbers((), (0,), (0,))


_METHODS: Final = ("compare_all", "scan", "scan_unrolled", "sort")
