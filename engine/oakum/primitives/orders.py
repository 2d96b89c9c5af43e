"""Orders of elements along an axis, found on the host with its fastest sorts.

NumPy's unstable sorts and its selection are vectorised, many times as fast as its stable sorts.
What they lose is put right: elements that are equal but not the same come in the order they had.

All take arrays in a dtype that the host computes with (`in_compute_dtype`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from oakum.values import host

_SHORT: Final = 1024
"""The number of elements up to which one stable sort is faster than several simple steps."""

_PLACES: Final = 2**32
"""Axes shorter than this have places of 32 bits, which fit into a word beside a key of 32 bits."""


def in_order(x: host.Array, axis: int) -> Any:
    """Returns the elements, ascending; equal ones stay in order."""
    np = host.np
    if _is_sorted_stably(x):
        return np.sort(x, axis, "stable")
    result = np.sort(x, axis)
    if x.dtype.kind == "f":
        _put_right(x.swapaxes(axis, -1), result.swapaxes(axis, -1))
    return result


def _is_sorted_stably(x: host.Array) -> bool:
    """Whether the stable sort is as fast: short integers are counted, and complex numbers have no
    other.
    """
    return x.size <= _SHORT or x.dtype.itemsize < 4 or x.dtype.kind == "c"


def _put_right(x: host.Array, result: host.Array) -> None:
    """Has zeros of both signs, and NaNs, in the order they had along the last axis."""
    np = host.np
    none = np.isnan(x)
    if none.any():
        result[np.isnan(result)] = x[none]
    if ((x == 0) & np.signbit(x)).any():
        result[result == 0] = x[x == 0]


def order(x: host.Array, axis: int) -> Any:
    """Returns the places of the elements, ascending by these; equal ones stay in order."""
    np = host.np
    if _is_sorted_stably(x) or x.shape[axis] >= _PLACES:
        return np.argsort(x, axis, "stable")
    moved = np.ascontiguousarray(x.swapaxes(axis, -1))
    found = _order_of_words(moved) if x.dtype.itemsize == 4 else _order_of_long(moved)
    return found.swapaxes(-1, axis)


def _order_of_words(x: host.Array) -> Any:
    """Returns the order along the last axis of elements of 32 bits: each is sorted with
    its place.
    """
    np = host.np
    code = _code(x)
    if x.dtype.kind == "f":
        code[x == 0] = 0x80000000
        code[np.isnan(x)] = 0xFFFFFFFF
    both = _with_places(code, np.arange(x.shape[-1], dtype=np.uint64))
    both.sort(-1)
    return _places(both)


def _order_of_long(x: host.Array) -> Any:
    """Returns the order along the last axis of elements of 64 bits: places are sorted where these
    are equal.
    """
    np = host.np
    found = np.argsort(x, -1)
    ascending = taken(x, found, -1)
    left, right = ascending[..., :-1], ascending[..., 1:]
    differs = left != right
    if x.dtype.kind == "f":
        differs &= ~(np.isnan(left) & np.isnan(right))
    if differs.all():
        return found
    both = found.astype(np.uint64)
    both[..., 1:] |= np.cumsum(differs, -1, dtype=np.uint64) << np.uint64(32)
    both.sort(-1)
    return _places(both)


def _places(both: host.Array) -> Any:
    """Returns the lower halves of words."""
    both &= host.np.uint64(0xFFFFFFFF)
    return both.view(host.np.int64).astype(host.np.intp, copy=False)


def _code(x: host.Array) -> Any:
    """Unsigned integers in the order of the elements; of floats, that of their bits: -0 is less
    than 0, and what is not a number is beyond the infinities.
    """
    bits = 8 * x.dtype.itemsize
    code = x.view(f"u{x.dtype.itemsize}")
    if x.dtype.kind == "u":
        return code.copy()
    top = code.dtype.type(1 << (bits - 1))
    if x.dtype.kind == "i":
        return code ^ top
    negative = (x.view(f"i{x.dtype.itemsize}") >> (bits - 1)).view(code.dtype)
    return code ^ (negative | top)


def _with_places(code: host.Array, places: Sequence[Any]) -> Any:
    """Words: codes of up to 32 bits in their upper halves, places in their lower ones."""
    np = host.np
    both = code.astype(np.uint64)
    both <<= np.uint64(32)
    both |= places
    return both


def taken(x: host.Array, places: host.Array, axis: int) -> Any:
    """Returns the elements at places along an axis, for each place of the other axes."""
    np = host.np
    if x.ndim == 1:
        return x.take(places)
    if not x.size:
        return np.take_along_axis(x, places, axis)
    moved = np.ascontiguousarray(x.swapaxes(axis, -1))
    first = np.arange(0, moved.size, moved.shape[-1]).reshape(*moved.shape[:-1], 1)
    found = moved.reshape(-1).take(places.swapaxes(axis, -1) + first)
    return found.swapaxes(-1, axis)


def greatest(x: host.Array, count: int, axis: int) -> Any:
    """Returns the places of the greatest elements, these descending; of equal ones the first.

    Floats go by the order of their bits, in which -0 is less than 0.
    """
    np = host.np
    moved = np.ascontiguousarray(x.swapaxes(axis, -1))
    return _greatest(moved, count).swapaxes(-1, axis)


def _greatest(x: host.Array, count: int) -> Any:
    np = host.np
    length = x.shape[-1]
    if x.dtype.kind == "b":
        x = x.view(np.uint8)
    if x.size <= _SHORT or length >= _PLACES or not count:
        return _last(np.argsort(_code(x)[..., ::-1], -1, "stable"), count)
    if x.dtype.itemsize >= 4 and count <= length // 8:
        found = _greatest_few(x, count)
        if found is not None:
            return found
    if x.dtype.itemsize == 8:
        return _last(order(_code(x)[..., ::-1], -1), count)
    places = np.arange(0xFFFFFFFF, 0xFFFFFFFF - length, -1, dtype=np.uint64)
    both = _with_places(_code(x), places)
    both.partition(length - count, -1)
    chosen = both[..., length - count :]
    chosen.sort(-1)
    return 0xFFFFFFFF - _places(chosen[..., ::-1])


def _last(backwards: host.Array, count: int) -> Any:
    """Returns the last places of an order of what was turned around, the last of them first."""
    length = backwards.shape[-1]
    return length - 1 - backwards[..., length - count :][..., ::-1]


def _greatest_few(x: host.Array, count: int) -> Any:
    """Returns the places of the greatest elements along the last axis, if few others equal the
    least of them; None otherwise.
    """
    np = host.np
    length = x.shape[-1]
    if x.dtype.kind == "f" and np.isnan(x).any():
        return None
    rows = x.size // length
    many = length >= 4 * _groups(count)
    for bound in (_low_bound, _bound) if many else (_bound,):
        found = np.flatnonzero(x >= bound(x, count))
        if found.size <= 4 * rows * count:
            break
    else:
        return None
    row, place = np.divmod(found, length)
    code = ~_code(x.reshape(-1)[found])
    if found.size == rows * count:
        places = order(code.reshape(rows, count), -1)
        chosen = taken(place.reshape(rows, count), places, -1)
        return chosen.reshape(*x.shape[:-1], count)
    if x.dtype.itemsize == 4 and rows < _PLACES:
        ranked = place[order(_with_places(row, code), 0)]
    else:
        ranked = place[np.lexsort((code, row))]
    counts = np.bincount(row, minlength=rows)
    first = np.cumsum(counts) - counts
    chosen = ranked[first[:, None] + np.arange(count)]
    return chosen.reshape(*x.shape[:-1], count)


def _bound(x: host.Array, count: int) -> Any:
    """Returns the least of the greatest elements along the last axis."""
    place = x.shape[-1] - count
    return host.np.partition(x, place, -1)[..., place, None]


def _low_bound(x: host.Array, count: int) -> Any:
    """Returns an element that there are so many as great as, mostly few more: from the greatest
    ones of groups.
    """
    while x.shape[-1] >= 2 * _groups(count):
        half = x.shape[-1] // 2
        x = host.np.maximum(x[..., :half], x[..., half : 2 * half])
    return _bound(x, count)


def _groups(count: int) -> int:
    return max(8 * count, 64)
