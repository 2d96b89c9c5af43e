"""Diagonals of the planes of an array, and matrices made of diagonals."""

from __future__ import annotations

from typing import Any

from oakum import dtypes, errors, host, lax
from oakum import numpy as jnp
from oakum.dtypes import Kind
from oakum.numpy import arguments


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


def triangle_mask(rows: int, columns: int, k: int) -> Any:
    """True at and below a diagonal."""
    index = dtypes.int32
    row = lax.broadcasted_iota(index, (rows, columns), 0)
    column = lax.broadcasted_iota(index, (rows, columns), 1)
    return lax.ge(lax.add(row, arguments.convert(k, index)), column)


def triangle(m: Any, k: int, *, lower: bool) -> Any:
    """The array with the part of its planes above or below a diagonal set to zero."""
    name = "tril" if lower else "triu"
    (m,) = arguments.arrays(name, m)
    shape = arguments.shape_of(m)
    if len(shape) < 2:
        raise errors.ShapeError(f"Argument to jax.numpy.{name} must be at least 2D")
    mask = triangle_mask(shape[-2], shape[-1], k if lower else k - 1)
    mask = arguments.broadcast_to(mask, shape)
    zeros = lax.full_like(m, 0)
    return lax.select(mask, m, zeros) if lower else lax.select(mask, zeros, m)


def diag(v: Any, k: int) -> Any:
    """A diagonal of a matrix, or the matrix of a diagonal."""
    (v,) = arguments.arrays("diag", v)
    k = arguments.size(k, "the diagonal of jnp.diag()")
    match arguments.shape_of(v):
        case (size,):
            total = size + abs(k)
            wide = lax.pad(v, _zero(v), ((max(0, k), total - size - max(0, k), 0),))
            column = lax.broadcast_in_dim(wide, (total, total), (1,))
            row_index = lax.broadcasted_iota(dtypes.int32, (total, total), 0)
            column_index = lax.broadcasted_iota(dtypes.int32, (total, total), 1)
            shifted = lax.add(row_index, lax.full_like(row_index, k))
            on = lax.eq(shifted, column_index)
            return lax.select(on, column, lax.full_like(column, 0))
        case (_, _):
            return diagonal(v, k, 0, 1)
        case shape:
            raise errors.ShapeError(f"diag input must be 1d or 2d, got shape {shape}")


def diagflat(v: Any, k: int) -> Any:
    """The matrix whose diagonal is a flattened array."""
    (v,) = arguments.arrays("diagflat", v)
    return diag(lax.reshape(v, (arguments.size_of(v),)), k)


def _zero(value: Any) -> Any:
    return lax.full((), 0, arguments.dtype_of(value))
