"""Searching in sorted arrays, by halving."""

from __future__ import annotations

from typing import Any, Final

from oakum import dtypes, errors, lax
from oakum.dtypes import Kind
from oakum.lax.options import GatherDimensionNumbers, GatherScatterMode
from oakum.numpy import arguments

_ALONE: Final = GatherDimensionNumbers((), (0,), (0,))
_INSIDE: Final = GatherScatterMode.PROMISE_IN_BOUNDS

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
    """The number of elements that are certainly before each value.

    Each round looks at the last element of the first half of what is left, which is as long for
    all values: no place has to be checked.
    """
    size, rank = arguments.size_of(a), arguments.rank_of(v)
    first = lax.full(arguments.shape_of(v), 0, dtypes.int32)

    def moved(first: Any, half: int) -> Any:
        """Where what is left begins, without the first half if that comes before the value."""
        last = lax.add(first, lax.full_like(first, half - 1))
        element = lax.gather(a, lax.expand_dims(last, [rank]), _ALONE, (1,), mode=_INSIDE)
        is_left = less(element, v) if before_equal else lax.bitwise_not(less(v, element))
        return lax.select(is_left, lax.add(first, lax.full_like(first, half)), first)

    while size > 1:
        first = moved(first, size // 2)
        size -= size // 2
    return moved(first, 1) if size else first


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
