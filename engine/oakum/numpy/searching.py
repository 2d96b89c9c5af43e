"""Searching in sorted arrays, by halving."""

from __future__ import annotations

from typing import Any, Final

from oakum import dtypes, errors, lax
from oakum import numpy as jnp
from oakum.dtypes import Kind
from oakum.numpy import arguments

_METHODS: Final = ("compare_all", "scan", "scan_unrolled", "sort")


def searchsorted(a: Any, v: Any, side: str, sorter: Any, method: str) -> Any:
    """Where values fit into a sorted array: before equal elements, or behind them."""
    a, v = arguments.arrays("searchsorted", a, v)
    if arguments.rank_of(a) != 1:
        raise errors.ShapeError("a should be 1-dimensional")
    if side not in ("left", "right"):
        raise ValueError(f"invalid argument side={side!r}, expected 'left' or 'right'")
    if method not in _METHODS:
        raise ValueError(f"invalid argument method={method!r}, expected one of {list(_METHODS)}")
    a, v = arguments.promote(a, v)
    if sorter is not None:
        (sorter,) = arguments.arrays("searchsorted", sorter)
        a = a[sorter]
    return _halve(a, v, before_equal=side == "left")


def _halve(a: Any, v: Any, *, before_equal: bool) -> Any:
    """The number of elements that are certainly before each value."""
    index = dtypes.int32
    size = arguments.size_of(a)
    shape = arguments.shape_of(v)
    low = lax.full(shape, 0, index)
    if size == 0:
        return low
    high = lax.full(shape, size, index)
    for _ in range(size.bit_length()):
        middle = lax.add(low, lax.div(lax.sub(high, low), lax.full_like(low, 2)))
        element = jnp.take(a, middle, mode="clip")
        is_left = less(element, v) if before_equal else lax.bitwise_not(less(v, element))
        # Where the interval is empty the middle is its end, and nothing may move.
        goes_right = lax.bitwise_and(is_left, lax.lt(low, high))
        low = lax.select(goes_right, lax.add(middle, lax.full_like(middle, 1)), low)
        high = lax.select(goes_right, high, lax.min(high, middle))
    return low


def less(x: Any, y: Any) -> Any:
    """Whether elements come before others when they are sorted: NaNs last, complex by parts."""
    if not arguments.is_kind(x, Kind.COMPLEX):
        return _less_real(x, y)
    real = lax.real(x), lax.real(y)
    imag = lax.imag(x), lax.imag(y)
    tied = lax.bitwise_not(lax.bitwise_or(_less_real(*real), _less_real(*real[::-1])))
    return lax.bitwise_or(_less_real(*real), lax.bitwise_and(tied, _less_real(*imag)))


def _less_real(x: Any, y: Any) -> Any:
    below = lax.lt(x, y)
    if not arguments.is_kind(x, Kind.FLOAT):
        return below
    last = lax.bitwise_and(lax.ne(y, y), lax.eq(x, x))
    return lax.bitwise_or(below, last)
