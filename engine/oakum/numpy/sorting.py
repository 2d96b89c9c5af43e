"""Sorting and searching."""

from __future__ import annotations

from typing import Any

from oakum import lax
from oakum.abstract import results, sorting
from oakum.array import Array
from oakum.numpy import arguments, orders, promoting, searching
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
    return orders.sort(a, axis, kind, order, stable, descending)


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
    """Gives the order that sorts along an axis."""
    return orders.argsort(a, axis, kind, order, stable, descending, dtype)


@public("numpy.lexsort", sorting.lexsort, static=("axis",))
def lexsort(keys: Any, axis: int = -1) -> Array:
    """Gives the order that sorts by several keys, of which the last counts most."""
    return orders.lexsort(keys, axis)


@public("numpy.sort_complex", results.array)
def sort_complex(a: ArrayLike) -> Array:
    """Sorts complex numbers by their real, then their imaginary parts."""
    (array,) = arguments.arrays("sort_complex", a)
    return arguments.convert(lax.sort(array), promoting.to_complex(arguments.dtype_of(array)))


@public("numpy.partition", sorting.sort, static=("kth", "axis"))
def partition(a: ArrayLike, kth: int, axis: int = -1) -> Array:
    """Moves the smaller elements before a position and the greater ones after it."""
    return orders.partition(a, kth, axis)


@public("numpy.argpartition", sorting.argpartition, static=("kth", "axis"))
def argpartition(a: ArrayLike, kth: int, axis: int = -1) -> Array:
    """Gives an order that moves smaller elements before a position."""
    return orders.argpartition(a, kth, axis)


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
    return searching.searchsorted(a, v, side, sorter, method)
