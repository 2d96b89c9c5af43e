"""Batches of matrices: what the derivatives of factorizations are written with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from oakum import dtypes, lax
from oakum.array import Array
from oakum.dtypes import Kind
from oakum.errors import ShapeError
from oakum.lax.options import Precision
from oakum.primitives.rules.arguments import dtype_of, shape_of
from oakum.typing import ArrayLike


def swapped(x: ArrayLike) -> Any:
    """Returns the transposes of matrices."""
    rank = len(shape_of(x))
    return lax.transpose(x, (*range(rank - 2), rank - 1, rank - 2))


def conjugate(x: ArrayLike) -> Any:
    """Returns the complex conjugate; a real array as it is."""
    return lax.conj(x) if dtype_of(x).kind is Kind.COMPLEX else x


def adjoint(x: ArrayLike) -> Any:
    """Returns the conjugate transposes of matrices."""
    return conjugate(swapped(x))


def real(x: ArrayLike) -> Any:
    """Returns the real part; a real array as it is."""
    return lax.real(x) if dtype_of(x).kind is Kind.COMPLEX else x


def symmetrized(x: ArrayLike) -> Any:
    """Returns the means of matrices and their adjoints, which of integers are floats."""
    x = lax.convert_element_type(x, dtypes.to_inexact(dtype_of(x)))
    return lax.mul(lax.add(x, adjoint(x)), 0.5)


def product(x: ArrayLike, y: ArrayLike) -> Any:
    """Returns the products of matrices, batch by batch."""
    rank = len(shape_of(x))
    batch = tuple(range(rank - 2))
    numbers = (((rank - 1,), (rank - 2,)), (batch, batch))
    return lax.dot_general(x, y, numbers, precision=Precision.HIGHEST)


def _where(x: ArrayLike, keeps: Callable[[Any, Any], Any]) -> Any:
    shape = shape_of(x)
    rank = len(shape)
    row = lax.broadcasted_iota(dtypes.int32, shape, rank - 2)
    column = lax.broadcasted_iota(dtypes.int32, shape, rank - 1)
    return lax.select(keeps(row, column), x, lax.full_like(x, 0))


def lower(x: ArrayLike, offset: int = 0) -> Any:
    """Returns the lower triangles: elements of which the column is at most the row and an
    offset.
    """
    return _where(x, lambda row, column: lax.ge(lax.add(row, offset), column))


def upper(x: ArrayLike, offset: int = 0) -> Any:
    """Returns the upper triangles: elements of which the column is at least the row and
    an offset.
    """
    return _where(x, lambda row, column: lax.le(lax.add(row, offset), column))


def identity(like: object, size: int) -> Any:
    """Unit matrices for each batch of matrices, of their dtype."""
    shape = (*shape_of(like)[:-2], size, size)
    return _where(lax.full(shape, 1, dtype_of(like)), lax.eq)


def diagonal(x: ArrayLike) -> Any:
    """Returns the diagonals of matrices, as vectors."""
    rank = len(shape_of(x))
    return lax.reduce_sum(_where(x, lax.eq), (rank - 1,))


def on_diagonal(x: Array) -> Any:
    """Diagonal matrices of vectors."""
    return _where(columns(x, shape_of(x)[-1]), lax.eq)


def rows(x: ArrayLike, count: int) -> Any:
    """Matrices in which each row is the vector."""
    shape = shape_of(x)
    axes = (*range(len(shape) - 1), len(shape))
    return lax.broadcast_in_dim(x, (*shape[:-1], count, shape[-1]), axes)


def columns(x: ArrayLike, count: int) -> Any:
    """Matrices in which each column is the vector."""
    shape = shape_of(x)
    return lax.broadcast_in_dim(x, (*shape, count), tuple(range(len(shape))))


def rows_taken(x: ArrayLike, order: ArrayLike) -> Any:
    """Matrices with their rows in an order given by indices."""
    from oakum.primitives.sorting import take_along

    return take_along(x, columns(order, shape_of(x)[-1]), len(shape_of(x)) - 2)


def columns_taken(x: ArrayLike, order: ArrayLike) -> Any:
    """Matrices with their columns in an order given by indices."""
    return swapped(rows_taken(swapped(x), order))


def part(x: ArrayLike, row: slice, column: slice) -> Any:
    """Returns a block of matrices."""
    shape = shape_of(x)
    last: Sequence[tuple[slice, int]] = ((row, shape[-2]), (column, shape[-1]))
    bounds = [(0, n) for n in shape[:-2]] + [cut.indices(size)[:2] for cut, size in last]
    return lax.slice(x, [low for low, _ in bounds], [high for _, high in bounds])


def beside(*parts: ArrayLike) -> Any:
    """Matrices put side by side."""
    return lax.concatenate(parts, len(shape_of(parts[0])) - 1)


def below(*parts: ArrayLike) -> Any:
    """Matrices put one below the other."""
    return lax.concatenate(parts, len(shape_of(parts[0])) - 2)


def solve(a: ArrayLike, b: ArrayLike) -> Any:
    """Returns the solutions of systems of equations, by elimination."""
    factors, _, order = lax.linalg.lu(a)
    return solve_factored(factors, order, b)


def solve_factored(factors: ArrayLike, order: ArrayLike, b: ArrayLike) -> Any:
    """Returns the solutions of systems of equations whose elimination is known."""
    b = rows_taken(b, order)
    b = lax.linalg.triangular_solve(factors, b, left_side=True, lower=True, unit_diagonal=True)
    return lax.linalg.triangular_solve(factors, b, left_side=True)


def symmetric_product(a: ArrayLike, c: ArrayLike, alpha: float, beta: float) -> Any:
    """alpha A A^T + beta C."""
    m, n = shape_of(a)[-2:]
    if shape_of(c)[-2:] != (m, m):
        raise ShapeError(
            "symmetric_update expects a rectangular matrix of shape (m, n) and a square matrix of "
            f"shape (m, m). Got shapes {(m, n)} and {shape_of(c)[-2:]}.",
            hint="Give a square matrix with as many rows.",
        )
    return lax.add(lax.mul(product(a, swapped(a)), alpha), lax.mul(c, beta))
