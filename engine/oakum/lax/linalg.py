"""Factorizations of batches of matrices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from oakum.abstract import results
from oakum.array import Array
from oakum.facts import public
from oakum.typing import ArrayLike


@public("lax.linalg.cholesky", results.array, static=("symmetrize_input",))
def cholesky(x: Array, *, symmetrize_input: bool = True) -> Array:
    """Computes Cholesky factors."""
    ...


@public("lax.linalg.cholesky_update", results.first)
def cholesky_update(r_matrix: ArrayLike, w_vector: ArrayLike) -> Array:
    """Updates a Cholesky factor for a change of rank one."""
    ...


@public(
    "lax.linalg.eig",
    static=("compute_left_eigenvectors", "compute_right_eigenvectors", "enable_eigvec_derivs"),
)
def eig(
    x: ArrayLike,
    *,
    compute_left_eigenvectors: bool = True,
    compute_right_eigenvectors: bool = True,
    enable_eigvec_derivs: bool = False,
    implementation: Any = None,
    use_magma: bool | None = None,
) -> list[Array]:
    """Computes eigenvalues and eigenvectors of general matrices."""
    ...


@public(
    "lax.linalg.eigh",
    results.arrays(2),
    static=("lower", "symmetrize_input", "sort_eigenvalues", "subset_by_index"),
)
def eigh(
    x: Array,
    *,
    lower: bool = True,
    symmetrize_input: bool = True,
    sort_eigenvalues: bool = True,
    subset_by_index: tuple[int, int] | None = None,
    implementation: Any = None,
) -> tuple[Array, Array]:
    """Computes eigenvectors and eigenvalues of Hermitian matrices."""
    ...


@public("lax.linalg.hessenberg", results.arrays(2))
def hessenberg(a: ArrayLike) -> tuple[Array, Array]:
    """Reduces matrices to Hessenberg form."""
    ...


@public("lax.linalg.householder_product", results.first)
def householder_product(a: ArrayLike, taus: ArrayLike) -> Array:
    """Multiplies Householder reflections."""
    ...


@public("lax.linalg.lu", results.arrays(3))
def lu(x: ArrayLike) -> tuple[Array, Array, Array]:
    """Computes LU factors, pivots and the permutation."""
    ...


@public("lax.linalg.lu_pivots_to_permutation", results.array, sizes=("permutation_size",))
def lu_pivots_to_permutation(pivots: ArrayLike, permutation_size: int) -> Array:
    """Converts pivots to a permutation."""
    ...


@public("lax.linalg.ormqr", results.array, static=("left", "transpose"))
def ormqr(
    a: ArrayLike, taus: ArrayLike, c: ArrayLike, *, left: bool = True, transpose: bool = False
) -> Array:
    """Multiplies a matrix by Householder reflections."""
    ...


@public("lax.linalg.qdwh", static=("is_hermitian", "max_iterations", "eps"))
def qdwh(
    x: Any,
    *,
    is_hermitian: bool = False,
    max_iterations: int | None = None,
    eps: float | None = None,
    dynamic_shape: tuple[int, int] | None = None,
) -> Any:
    """Computes the polar decomposition."""
    ...


@public("lax.linalg.qr", static=("pivoting", "full_matrices"))
def qr(
    x: ArrayLike,
    *,
    pivoting: bool = False,
    full_matrices: bool = True,
    use_magma: bool | None = None,
) -> tuple[Array, Array] | tuple[Array, Array, Array]:
    """Computes QR factors."""
    ...


@public("lax.linalg.schur", static=("compute_schur_vectors", "sort_eig_vals"))
def schur(
    x: ArrayLike,
    *,
    compute_schur_vectors: bool = True,
    sort_eig_vals: bool = False,
    select_callable: Callable[..., Any] | None = None,
) -> tuple[Array, Array]:
    """Computes the Schur decomposition."""
    ...


@public("lax.linalg.svd", static=("full_matrices", "compute_uv", "subset_by_index"))
def svd(
    x: ArrayLike,
    *,
    full_matrices: bool = True,
    compute_uv: bool = True,
    subset_by_index: tuple[int, int] | None = None,
    algorithm: Any = None,
) -> Array | tuple[Array, Array, Array]:
    """Computes singular values and vectors."""
    ...


@public(
    "lax.linalg.symmetric_product", results.array, static=("alpha", "beta", "symmetrize_output")
)
def symmetric_product(
    a_matrix: ArrayLike,
    c_matrix: ArrayLike,
    *,
    alpha: float = 1.0,
    beta: float = 0.0,
    symmetrize_output: bool = False,
) -> Any:
    """Computes the symmetric product of a matrix."""
    ...


@public(
    "lax.linalg.triangular_solve",
    results.array,
    static=("left_side", "lower", "transpose_a", "conjugate_a", "unit_diagonal"),
)
def triangular_solve(
    a: ArrayLike,
    b: ArrayLike,
    *,
    left_side: bool = False,
    lower: bool = False,
    transpose_a: bool = False,
    conjugate_a: bool = False,
    unit_diagonal: bool = False,
) -> Array:
    """Solves systems with triangular matrices."""
    ...


@public("lax.linalg.tridiagonal", results.arrays(4), static=("lower",))
def tridiagonal(a: ArrayLike, *, lower: bool = True) -> tuple[Array, Array, Array, Array]:
    """Reduces symmetric matrices to tridiagonal form."""
    ...


@public("lax.linalg.tridiagonal_solve", results.array, static=("perturb_singular",))
def tridiagonal_solve(
    dl: Array, d: Array, du: Array, b: Array, *, perturb_singular: bool = False
) -> Array:
    """Solves systems with tridiagonal matrices."""
    ...
