"""Combining elements along an axis by a function of two arrays, written with operations of `lax`.

What these give is made of operations that have derivatives and transposes of their own; the
derivatives of reductions and scans are written with it.

Invariants:
- A combination takes two lists of arrays of one shape and gives a list of such arrays.
- Elements are combined in order; the combination is taken to be associative.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from oakum import lax
from oakum.primitives.rules.arguments import shape_of
from oakum.primitives.rules.derivatives import differentiate, instantiate
from oakum.tracing.trace import Primitive

Combination = Callable[[list[Any], list[Any]], list[Any]]


def fold(combine: Combination, arrays: Sequence[Any], axis: int = 0) -> list[Any]:
    """Combines all elements along an axis, in pairs of halves; the axis becomes one of size 1."""
    items = list(arrays)
    while (size := shape_of(items[0])[axis]) > 1:
        half = size // 2
        low = [lax.slice_in_dim(x, 0, 2 * half, 2, axis) for x in items]
        high = [lax.slice_in_dim(x, 1, 2 * half, 2, axis) for x in items]
        merged = combine(low, high)
        if size % 2:
            last = [lax.slice_in_dim(x, size - 1, size, 1, axis) for x in items]
            merged = [lax.concatenate(pair, axis) for pair in zip(merged, last, strict=True)]
        items = merged
    return items


def scan(combine: Combination, arrays: Sequence[Any], axis: int, reverse: bool) -> list[Any]:
    """Returns all partial combinations along an axis, from its start or, in reverse, its end."""
    items, size, distance = list(arrays), shape_of(arrays[0])[axis], 1
    while distance < size:
        near = [lax.slice_in_dim(x, 0, size - distance, 1, axis) for x in items]
        far = [lax.slice_in_dim(x, distance, size, 1, axis) for x in items]
        if reverse:
            rest = [lax.slice_in_dim(x, size - distance, size, 1, axis) for x in items]
            parts = [combine(far, near), rest]
        else:
            rest = [lax.slice_in_dim(x, 0, distance, 1, axis) for x in items]
            parts = [rest, combine(near, far)]
        items = [lax.concatenate(pair, axis) for pair in zip(*parts, strict=True)]
        distance *= 2
    return items


def dual(primitive: Primitive, **params: object) -> Combination:
    """Returns the combination, by an operation on two arrays, of a value and its tangent."""

    def combine(left: list[Any], right: list[Any]) -> list[Any]:
        (x, x_change), (y, y_change) = left, right
        out, change = differentiate(primitive, [x, y], [x_change, y_change], params)
        return [out, instantiate(change)]

    return combine
