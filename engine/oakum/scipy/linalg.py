"""Linear algebra as SciPy spells it."""

from __future__ import annotations

from collections.abc import Callable

from oakum import lax
from oakum import numpy as jnp
from oakum.abstract import creation, linalg, results
from oakum.abstract.elementwise import ANYTHING
from oakum.array import Array
from oakum.numpy.operands import arguments
from oakum.scipy.linalg_impl import (
    decompositions,
    exponentials,
    matrices,
    matrix_functions,
    systems,
)
from oakum.typing import ArrayLike, DTypeLike
from oakum.values.declarations import public


@public("scipy.linalg.block_diag", linalg.block_diagonal)
def block_diag(*arrs: ArrayLike) -> Array:
    """Makes a matrix with matrices on its diagonal."""
    return matrices.block_diagonal(arrs)


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
    return systems.with_cholesky(factor, lower, b)


@public("scipy.linalg.cholesky", linalg.square, static=("lower",))
def cholesky(
    a: ArrayLike, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True
) -> Array:
    """Computes Cholesky factors."""
    return systems.cholesky(a, lower)


@public("scipy.linalg.circulant", results.array)
def circulant(c: ArrayLike) -> Array:
    """Makes a circulant matrix."""
    return matrices.circulant(c)


@public("scipy.linalg.companion", results.array)
def companion(a: ArrayLike) -> Array:
    """Makes the companion matrix of a polynomial."""
    return matrices.companion(a)


@public("scipy.linalg.convolution_matrix", results.array, static=("mode",), sizes=("n",))
def convolution_matrix(a: ArrayLike, n: int, mode: str = "full") -> Array:
    """Makes the matrix of a convolution."""
    return matrices.convolution(a, n, mode)


@public("scipy.linalg.det", linalg.determinant)
def det(a: ArrayLike, overwrite_a: bool = False, check_finite: bool = True) -> Array:
    """Computes determinants."""
    return jnp.linalg.det(a)


@public("scipy.linalg.dft", results.array, static=("scale",), sizes=("n",))
def dft(n: int, scale: str | None = None, *, dtype: DTypeLike | None = None) -> Array:
    """Makes the matrix of the discrete Fourier transform."""
    return matrices.fourier(n, scale, dtype)


@public(
    "scipy.linalg.eigh",
    linalg.Factorization((2,), linalg.unknown, ANYTHING),
    static=("lower", "eigvals_only", "type"),
)
def eigh(
    a: ArrayLike,
    b: ArrayLike | None = None,
    lower: bool = True,
    eigvals_only: bool = False,
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    turbo: bool = True,
    eigvals: None = None,
    type: int = 1,
    check_finite: bool = True,
) -> Array | tuple[Array, Array]:
    """Computes eigenvalues and eigenvectors of Hermitian matrices."""
    return decompositions.eigh(a, b, lower, eigvals_only, eigvals, type)


@public("scipy.linalg.eigh_tridiagonal", static=("eigvals_only", "select", "select_range"))
def eigh_tridiagonal(
    d: ArrayLike,
    e: ArrayLike,
    *,
    eigvals_only: bool = False,
    select: str = "a",
    select_range: tuple[float, float] | None = None,
    tol: float | None = None,
    key: ArrayLike | None = None,
) -> Array | tuple[Array, Array]:
    """Computes eigenvalues of symmetric tridiagonal matrices."""
    return decompositions.eigh_tridiagonal(d, e, eigvals_only, select, select_range)


@public("scipy.linalg.expm", linalg.square, static=("upper_triangular", "max_squarings"))
def expm(A: ArrayLike, *, upper_triangular: bool = False, max_squarings: int = 16) -> Array:
    """Computes the exponential of matrices."""
    return exponentials.expm(A, upper_triangular, max_squarings)


@public("scipy.linalg.expm_frechet", static=("method", "compute_expm"))
def expm_frechet(
    A: ArrayLike, E: ArrayLike, *, method: str | None = None, compute_expm: bool = True
) -> Array | tuple[Array, Array]:
    """Computes the derivative of the exponential of a matrix."""
    return exponentials.derivative(A, E, compute_expm)


@public("scipy.linalg.fiedler", results.array)
def fiedler(a: ArrayLike) -> Array:
    """Makes a Fiedler matrix."""
    return matrices.fiedler(a)


@public("scipy.linalg.fiedler_companion", results.array)
def fiedler_companion(a: ArrayLike) -> Array:
    """Makes a Fiedler companion matrix."""
    return matrices.fiedler_companion(a)


@public("scipy.linalg.funm", static=("disp",))
def funm(
    A: ArrayLike, func: Callable[[Array], Array], disp: bool = True
) -> Array | tuple[Array, Array]:
    """Applies a function to a matrix."""
    return matrix_functions.apply(A, func, disp)


@public("scipy.linalg.hadamard", results.array, sizes=("n",))
def hadamard(n: int, dtype: DTypeLike = int) -> Array:
    """Makes a Hadamard matrix."""
    return matrices.hadamard(n, dtype)


@public("scipy.linalg.hankel", results.array)
def hankel(c: ArrayLike, r: ArrayLike | None = None) -> Array:
    """Makes a Hankel matrix."""
    return matrices.hankel(c, r)


@public("scipy.linalg.helmert", results.array, static=("full",), sizes=("n",))
def helmert(n: int, full: bool = False) -> Array:
    """Makes a Helmert matrix."""
    return matrices.helmert(n, full)


@public(
    "scipy.linalg.hessenberg",
    static=("calc_q", "overwrite_a", "check_finite"),
)
def hessenberg(
    a: ArrayLike, *, calc_q: bool = False, overwrite_a: bool = False, check_finite: bool = True
) -> Array | tuple[Array, Array]:
    """Reduces a matrix to Hessenberg form."""
    return decompositions.hessenberg(a, calc_q)


@public("scipy.linalg.hilbert", creation.square, sizes=("n",))
def hilbert(n: int) -> Array:
    """Makes a Hilbert matrix."""
    return matrices.hilbert(n)


@public("scipy.linalg.inv", linalg.square)
def inv(a: ArrayLike, overwrite_a: bool = False, check_finite: bool = True) -> Array:
    """Inverts matrices."""
    return jnp.linalg.inv(a)


@public("scipy.linalg.invhilbert", results.array, sizes=("n",))
def invhilbert(n: int) -> Array:
    """Makes the inverse of a Hilbert matrix."""
    return matrices.inverse_hilbert(n)


@public("scipy.linalg.invpascal", results.array, static=("kind",), sizes=("n",))
def invpascal(n: int, kind: str | None = None) -> Array:
    """Makes the inverse of a Pascal matrix."""
    return matrices.inverse_pascal(n, kind)


@public("scipy.linalg.leslie", results.array)
def leslie(f: ArrayLike, s: ArrayLike) -> Array:
    """Makes a Leslie matrix."""
    return matrices.leslie(f, s)


@public(
    "scipy.linalg.lu",
    linalg.Factorization((2,), linalg.unknown, ANYTHING),
    static=("permute_l", "overwrite_a", "check_finite"),
)
def lu(
    a: ArrayLike, permute_l: bool = False, overwrite_a: bool = False, check_finite: bool = True
) -> tuple[Array, Array] | tuple[Array, Array, Array]:
    """Computes LU factors."""
    return decompositions.lu(a, permute_l)


@public(
    "scipy.linalg.lu_factor",
    linalg.Factorization((2,), results.arrays(2), ANYTHING),
    static=("overwrite_a", "check_finite"),
)
def lu_factor(
    a: ArrayLike, overwrite_a: bool = False, check_finite: bool = True
) -> tuple[Array, Array]:
    """Computes LU factors for `lu_solve`."""
    (a,) = arguments.promote_inexact(*arguments.arrays("lu_factor", a))
    factors, pivots, _ = lax.linalg.lu(a)
    return factors, pivots


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
    return systems.with_lu(*lu_and_piv, b, trans)


@public("scipy.linalg.pascal", results.array, static=("kind",), sizes=("n",))
def pascal(n: int, kind: str | None = None) -> Array:
    """Makes a Pascal matrix."""
    return matrices.pascal(n, kind)


@public(
    "scipy.linalg.polar",
    linalg.Factorization((2,), results.arrays(2), ANYTHING),
    static=("side", "method", "eps"),
)
def polar(
    a: ArrayLike,
    side: str = "right",
    *,
    method: str = "qdwh",
    eps: float | None = None,
    max_iterations: int | None = None,
) -> tuple[Array, Array]:
    """Computes the polar decomposition."""
    return decompositions.polar(a, side, method)


@public(
    "scipy.linalg.qr",
    linalg.Factorization((2,), linalg.unknown, ANYTHING),
    static=("mode", "pivoting"),
)
def qr(
    a: ArrayLike,
    overwrite_a: bool = False,
    lwork: object = None,
    mode: str = "full",
    pivoting: bool = False,
    check_finite: bool = True,
) -> tuple[Array] | tuple[Array, Array] | tuple[Array, Array, Array]:
    """Computes QR factors."""
    return decompositions.qr(a, mode, pivoting)


@public("scipy.linalg.qr_multiply", static=("mode", "pivoting", "conjugate"))
def qr_multiply(
    a: ArrayLike,
    c: ArrayLike,
    mode: str = "right",
    pivoting: bool = False,
    conjugate: bool = False,
    overwrite_a: bool = False,
    overwrite_c: bool = False,
) -> tuple[Array, Array] | tuple[Array, Array, Array]:
    """Multiplies by the orthogonal factor of a QR factorization."""
    return decompositions.qr_multiply(a, c, mode, pivoting, conjugate)


@public("scipy.linalg.rsf2csf", results.arrays(2), static=("check_finite",))
def rsf2csf(T: ArrayLike, Z: ArrayLike, check_finite: bool = True) -> tuple[Array, Array]:
    """Converts a real Schur form to a complex one."""
    return decompositions.complex_schur(T, Z)


@public(
    "scipy.linalg.schur",
    linalg.Factorization((2,), results.arrays(2), ANYTHING),
    static=("output",),
)
def schur(a: ArrayLike, output: str = "real") -> tuple[Array, Array]:
    """Computes the Schur decomposition."""
    return decompositions.schur(a, output)


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
    return systems.solve(a, b, lower, assume_a)


@public("scipy.linalg.solve_sylvester", results.array, static=("method",))
def solve_sylvester(
    A: ArrayLike, B: ArrayLike, C: ArrayLike, *, method: str = "schur", tol: float = 1e-08
) -> Array:
    """Solves a Sylvester equation."""
    return systems.sylvester(A, B, C, method, tol)


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
    return systems.triangular(a, b, trans, lower, unit_diagonal)


@public(
    "scipy.linalg.sqrtm", linalg.Factorization((2,), results.array, ANYTHING), static=("blocksize",)
)
def sqrtm(A: ArrayLike, blocksize: int = 1) -> Array:
    """Computes the square root of a matrix."""
    return matrix_functions.square_root(A, blocksize)


@public("scipy.linalg.svd", linalg.svd, static=("full_matrices", "compute_uv"))
def svd(
    a: ArrayLike,
    full_matrices: bool = True,
    compute_uv: bool = True,
    overwrite_a: bool = False,
    check_finite: bool = True,
    lapack_driver: str = "gesdd",
) -> Array | tuple[Array, Array, Array]:
    """Computes singular values, and vectors if asked for."""
    (a,) = arguments.promote_inexact(*arguments.arrays("svd", a))
    return lax.linalg.svd(a, full_matrices=full_matrices, compute_uv=compute_uv)


@public("scipy.linalg.toeplitz", results.array)
def toeplitz(c: ArrayLike, r: ArrayLike | None = None) -> Array:
    """Makes a Toeplitz matrix."""
    return matrices.toeplitz(c, r)
