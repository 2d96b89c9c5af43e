"""Diagonals of the planes of an array."""

from __future__ import annotations

from typing import Any

from oakum import errors, lax
from oakum import numpy as jnp
from oakum.dtypes import Kind
from oakum.numpy import arguments
from oakum.values import host


def _planes_last(a: Any, axis1: int, axis2: int, function: str) -> Any:
    rank = arguments.rank_of(a)
    if rank < 2:
        raise errors.ShapeError(f"{function} requires an array of at least two dimensions.")
    first, second = arguments.axis(axis1, rank), arguments.axis(axis2, rank)
    if first == second:
        raise errors.ShapeError(f"{function}: axis1 and axis2 must differ, both are {axis1}")
    return jnp.moveaxis(a, (first, second), (-2, -1))


def diagonal(a: Any, offset: Any, axis1: int, axis2: int) -> Any:
    """The diagonals of the planes of two axes, along a last axis."""
    (a,) = arguments.arrays("diagonal", a)
    offset = arguments.size(offset, "the offset of jnp.diagonal()")
    a = _planes_last(a, axis1, axis2, "diagonal")
    rows, columns = arguments.shape_of(a)[-2:]
    down, right = max(-offset, 0), max(offset, 0)
    size = max(min(rows - down, columns - right), 0)
    at = host.np.arange(size, dtype="int32")
    return a[..., at + down, at + right]


def trace(a: Any, offset: Any, axis1: int, axis2: int, dtype: Any) -> Any:
    """The sums of the diagonals of the planes of two axes."""
    (a,) = arguments.arrays("trace", a)
    a = _planes_last(a, axis1, axis2, "trace")
    rows, columns = arguments.shape_of(a)[-2:]
    if arguments.is_kind(a, Kind.BOOL):
        a = arguments.convert(a, arguments.default_int())
    index = arguments.default_int()
    row = lax.broadcasted_iota(index, (rows, columns), 0)
    column = lax.broadcasted_iota(index, (rows, columns), 1)
    shifted = lax.add(row, arguments.convert(lax.full_like(row, 0) + offset, index))
    on_diagonal = arguments.broadcast_to(lax.eq(shifted, column), arguments.shape_of(a))
    kept = lax.select(on_diagonal, a, lax.full_like(a, 0))
    return jnp.sum(kept, axis=(-2, -1), dtype=dtype)
