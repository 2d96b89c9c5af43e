"""Systems of equations: by factors, with triangular matrices, and with unknown matrices."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, Final

from oakum import lax
from oakum import numpy as jnp
from oakum.abstract import linalg, results
from oakum.abstract.elementwise import ANYTHING
from oakum.array import Array
from oakum.errors import ShapeError
from oakum.numpy import arguments
from oakum.numpy.linalg import systems
from oakum.scipy.linalg import decompositions
from oakum.typing import ArrayLike
from oakum.values.declarations import public


def _pair(function: str, a: ArrayLike, b: Any) -> list[Any]:
    return arguments.promote_inexact(*arguments.arrays(function, a, b))


def _columns(function: str, a: Array, b: Array, solve: Callable[[Any, Any], Any]) -> Any:
    """Solves for columns, or for vectors as matrices of one column, with leading axes broadcast."""
    a_shape, b_shape = arguments.shape_of(a), arguments.shape_of(b)
    is_vector = len(b_shape) == 1
    if not is_vector and len(a_shape) == len(b_shape) + 1 and a_shape[-1] == b_shape[-1]:
        warnings.warn(
            f"jax.scipy.linalg.{function}: batched 1D solves with b.ndim > 1 are deprecated, and "
            f"in the future will be treated as a batched 2D solve. Use {function}(a, b[..., None])"
            ".squeeze(-1) to avoid this warning.",
            FutureWarning,
            stacklevel=4,
        )
        is_vector = True
    columns = b[..., None] if is_vector else b
    column_shape = arguments.shape_of(columns)
    lead = arguments.broadcast_shapes(a_shape[:-2], column_shape[:-2])
    a = arguments.broadcast_to(a, (*lead, *a_shape[-2:]))
    columns = arguments.broadcast_to(columns, (*lead, *column_shape[-2:]))
    result = solve(a, columns)
    return jnp.squeeze(result, -1) if is_vector else result


@public("scipy.linalg.cholesky", linalg.square, static=("lower",))
def cholesky(
    a: ArrayLike, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True
) -> Array:
    """Computes Cholesky factors."""
    (x,) = arguments.promote_inexact(*arguments.arrays("cholesky", a))
    if lower:
        return lax.linalg.cholesky(x, symmetrize_input=False)
    turned = jnp.conj(jnp.matrix_transpose(x))
    factor = lax.linalg.cholesky(turned, symmetrize_input=False)
    return jnp.conj(jnp.matrix_transpose(factor))


_ASSUMED: Final = ("gen", "sym", "her", "pos")


@public("scipy.linalg.solve", linalg.solve, static=("lower", "assume_a"))
def solve(
    a: ArrayLike,
    b: ArrayLike,
    lower: bool = False,
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    debug: bool = False,
    check_finite: bool = True,
    assume_a: str = "gen",
) -> Array:
    """Solves systems of linear equations."""
    if assume_a not in _ASSUMED:
        raise ValueError(f"Expected assume_a to be one of {list(_ASSUMED)}; got {assume_a!r}")
    a, b = _pair("solve", a, b)
    if assume_a != "pos":
        return systems.solve_systems(a, b)
    return cho_solve((cholesky(a, lower), lower), b)


_TRANSPOSED: Final = {
    0: (False, False),
    "N": (False, False),
    1: (True, False),
    "T": (True, False),
    2: (True, True),
    "C": (True, True),
}


@public("scipy.linalg.solve_triangular", results.array, static=("trans", "lower", "unit_diagonal"))
def solve_triangular(
    a: ArrayLike,
    b: ArrayLike,
    trans: int | str = 0,
    lower: bool = False,
    unit_diagonal: bool = False,
    overwrite_b: bool = False,
    debug: object = None,
    check_finite: bool = True,
) -> Array:
    """Solves systems with triangular matrices."""
    if trans not in _TRANSPOSED:
        raise ValueError(f"Invalid 'trans' value {trans}")
    transpose, conjugate = _TRANSPOSED[trans]
    x, y = _pair("solve_triangular", a, b)

    def solve(matrix: ArrayLike, columns: ArrayLike) -> Any:
        return lax.linalg.triangular_solve(
            matrix,
            columns,
            left_side=True,
            lower=lower,
            transpose_a=transpose,
            conjugate_a=conjugate,
            unit_diagonal=unit_diagonal,
        )

    return _columns("solve_triangular", x, y, solve)


@public("scipy.linalg.solve_sylvester", results.array, static=("method",))
def solve_sylvester(
    A: ArrayLike, B: ArrayLike, C: ArrayLike, *, method: str = "schur", tol: float = 1e-08
) -> Array:
    """Solves a Sylvester equation."""
    left, right, total = arguments.promote_inexact(*arguments.arrays("solve_sylvester", A, B, C))
    rows, columns = arguments.shape_of(total)[-2:]
    shapes = arguments.shape_of(left), arguments.shape_of(right)
    if shapes[0][-2:] != (rows, rows) or shapes[1][-2:] != (columns, columns):
        raise ValueError(
            f"Incompatible shapes for Sylvester equation:\nA: {shapes[0]}\nB: {shapes[1]}\n"
            f"C: {arguments.shape_of(total)}"
        )
    if method not in ("schur", "eigen"):
        raise ValueError(
            f'Unrecognized method {method}. The two valid methods are either "schur" or "eigen".'
        )
    by = _by_schur if method == "schur" else _by_eigenvectors

    def solve_one(a: Array, b: Array, c: ArrayLike) -> Any:
        x = by(a, b, c)
        x = x if arguments.is_complex(c) else jnp.real(x)
        sums = jnp.linalg.eigvals(a)[:, None] + jnp.linalg.eigvals(b)[None, :]
        return jnp.where(jnp.any(jnp.abs(sums) < tol), jnp.nan, x)

    return jnp.vectorize(solve_one, signature="(m,m),(n,n),(m,n)->(m,n)")(left, right, total)


def _by_schur(a: ArrayLike, b: Array, c: ArrayLike) -> Any:
    """Solves by Bartels and Stewart's method: triangular matrices give one column after another."""
    r, u = decompositions.schur(a, "complex")
    s, v = decompositions.schur(jnp.conj(b.T), "complex")
    s = jnp.conj(s.T)
    f = jnp.conj(u.T) @ arguments.convert(c, arguments.dtype_of(r)) @ v
    size = arguments.shape_of(c)[1]
    identity = jnp.eye(arguments.shape_of(c)[0], dtype=r.dtype)
    y = jnp.zeros_like(f)
    for j in reversed(range(size)):
        right = f[:, j] - y @ s[:, j]
        shifted = r + s[j, j] * identity
        column = lax.linalg.triangular_solve(shifted, right[:, None], left_side=True, lower=False)
        y = y.at[:, j].set(column[:, 0])
    return u @ y @ jnp.conj(v.T)


def _by_eigenvectors(a: ArrayLike, b: ArrayLike, c: ArrayLike) -> Any:
    a_values, a_vectors = jnp.linalg.eig(a)
    b_values, b_vectors = jnp.linalg.eig(b)
    c = arguments.convert(c, arguments.dtype_of(a_values))
    f = jnp.linalg.solve(a_vectors, c @ b_vectors)
    y = f / (a_values[:, None] + b_values[None, :])
    return a_vectors @ y @ jnp.linalg.inv(b_vectors)


@public(
    "scipy.linalg.cho_factor",
    linalg.Factorization((2,), linalg.unknown, ANYTHING),
    static=("lower",),
)
def cho_factor(
    a: ArrayLike, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True
) -> tuple[Array, bool]:
    """Computes a Cholesky factor for `cho_solve`."""
    return cholesky(a, lower=lower), lower


@public("scipy.linalg.cho_solve", linalg.like_right_side)
def cho_solve(
    c_and_lower: tuple[ArrayLike, bool],
    b: ArrayLike,
    overwrite_b: bool = False,
    check_finite: bool = True,
) -> Array:
    """Solves a system with a Cholesky factor."""
    factor, lower = c_and_lower
    factor, right = _pair("cho_solve", factor, b)

    def solve(c: ArrayLike, x: ArrayLike) -> Any:
        for turned in (not lower, lower):
            x = lax.linalg.triangular_solve(
                c, x, left_side=True, lower=lower, transpose_a=turned, conjugate_a=turned
            )
        return x

    return _columns("cho_solve", factor, right, solve)


@public("scipy.linalg.det", linalg.determinant)
def det(a: ArrayLike, overwrite_a: bool = False, check_finite: bool = True) -> Array:
    """Computes determinants."""
    return jnp.linalg.det(a)


@public("scipy.linalg.inv", linalg.square)
def inv(a: ArrayLike, overwrite_a: bool = False, check_finite: bool = True) -> Array:
    """Inverts matrices."""
    return jnp.linalg.inv(a)


@public(
    "scipy.linalg.lu_solve", linalg.like_right_side, static=("trans", "overwrite_b", "check_finite")
)
def lu_solve(
    lu_and_piv: tuple[Array, ArrayLike],
    b: ArrayLike,
    trans: int = 0,
    overwrite_b: bool = False,
    check_finite: bool = True,
) -> Array:
    """Solves a system with LU factors."""
    factors, pivots = lu_and_piv
    factors, right = _pair("lu_solve", factors, b)
    size = arguments.shape_of(factors)[-2]
    rows = arguments.shape_of(right)[-1 if arguments.rank_of(right) == 1 else -2 :][0]
    if rows != size:
        raise ShapeError(
            f"lu_solve of factors of size {size} takes {size} rows, got "
            f"{arguments.shape_of(right)}",
            hint="Give a right side with as many rows as the factors have.",
        )
    permutation = lax.linalg.lu_pivots_to_permutation(arguments.array(pivots), size)

    def solve(lu: ArrayLike, x: ArrayLike) -> Any:
        order = arguments.broadcast_to(permutation, arguments.shape_of(lu)[:-1])
        return systems.with_factors(lu, order, x, trans)

    return _columns("lu_solve", factors, right, solve)
