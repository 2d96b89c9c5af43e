"""Factorizations of batches of matrices."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

from oakum import lax, primitives
from oakum.abstract import linalg, results
from oakum.abstract.elementwise import ANYTHING
from oakum.array import Array
from oakum.dtypes import Kind
from oakum.lax.options import EighImplementation as EighImplementation
from oakum.lax.options import EigImplementation as EigImplementation
from oakum.lax.options import SvdAlgorithm as SvdAlgorithm
from oakum.primitives.rules import arguments
from oakum.typing import ArrayLike
from oakum.values.declarations import public


def _matrices() -> Any:
    from oakum.primitives.rules import matrices

    return matrices


@public(
    "lax.linalg.cholesky",
    linalg.Factorization((2,), results.array, ANYTHING),
    static=("symmetrize_input",),
)
def cholesky(x: Array, *, symmetrize_input: bool = True) -> Array:
    """Computes Cholesky factors."""
    x = arguments.array(x)
    given = _matrices().symmetrized(x) if symmetrize_input else x
    return _matrices().lower(primitives.cholesky.cholesky_p.bind(given))


@public("lax.linalg.cholesky_update", linalg.Factorization((2, 1), results.first))
def cholesky_update(r_matrix: ArrayLike, w_vector: ArrayLike) -> Array:
    """Updates a Cholesky factor for a change of rank one."""
    return primitives.cholesky.cholesky_update_p.bind(r_matrix, w_vector)


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
    implementation: EigImplementation | None = None,
    use_magma: bool | None = None,
) -> list[Array]:
    """Computes eigenvalues and eigenvectors of general matrices."""
    if use_magma is not None:
        warnings.warn(
            "use_magma is deprecated, please leave it out", DeprecationWarning, stacklevel=2
        )
    return primitives.eigenvalues.eig_p.bind(
        x,
        compute_left_eigenvectors=compute_left_eigenvectors,
        compute_right_eigenvectors=compute_right_eigenvectors,
        enable_eigvec_derivs=enable_eigvec_derivs,
        implementation=implementation,
    )


@public(
    "lax.linalg.eigh",
    results.Arrays(2),
    static=("lower", "symmetrize_input", "sort_eigenvalues", "subset_by_index"),
)
def eigh(
    x: Array,
    *,
    lower: bool = True,
    symmetrize_input: bool = True,
    sort_eigenvalues: bool = True,
    subset_by_index: tuple[int, int] | None = None,
    implementation: EighImplementation | None = None,
) -> tuple[Array, Array]:
    """Computes eigenvectors and eigenvalues of Hermitian matrices."""
    x = arguments.array(x)
    given = _matrices().symmetrized(x) if symmetrize_input else x
    vectors, values = primitives.eigenvalues.eigh_p.bind(
        given,
        lower=lower,
        sort_eigenvalues=sort_eigenvalues,
        subset_by_index=subset_by_index,
        algorithm=implementation,
    )
    return vectors, values


@public("lax.linalg.hessenberg", linalg.Factorization((2,), results.Listed(2)))
def hessenberg(a: ArrayLike) -> list[Array]:
    """Reduces matrices to Hessenberg form, and returns the reflections too."""
    return primitives.orthogonal.hessenberg_p.bind(a)


@public("lax.linalg.householder_product", linalg.Factorization((2, 1), results.first))
def householder_product(a: ArrayLike, taus: ArrayLike) -> Array:
    """Multiplies Householder reflections."""
    return primitives.orthogonal.householder_product_p.bind(a, taus)


@public("lax.linalg.lu", linalg.Factorization((2,), results.Listed(3)))
def lu(x: ArrayLike) -> list[Array]:
    """Computes LU factors, pivots and the permutation."""
    return primitives.elimination.lu_p.bind(x)


@public("lax.linalg.lu_pivots_to_permutation", results.array, sizes=("permutation_size",))
def lu_pivots_to_permutation(pivots: ArrayLike, permutation_size: int) -> Array:
    """Converts pivots to a permutation."""
    return primitives.elimination.lu_pivots_to_permutation_p.bind(
        pivots, permutation_size=arguments.integer(permutation_size)
    )


@public("lax.linalg.ormqr", results.array, static=("left", "transpose"))
def ormqr(
    a: ArrayLike, taus: ArrayLike, c: ArrayLike, *, left: bool = True, transpose: bool = False
) -> Array:
    """Multiplies a matrix by Householder reflections."""
    return primitives.orthogonal.ormqr_p.bind(a, taus, c, left=left, transpose=transpose)


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
    from oakum.primitives.rules.polar import polar

    if dynamic_shape is not None:
        raise NotImplementedError("qdwh of a part of a matrix is not implemented: slice it first")
    return polar(arguments.array(x), is_hermitian)


@public(
    "lax.linalg.qr",
    linalg.Factorization((2,), linalg.unknown),
    static=("pivoting", "full_matrices"),
)
def qr(
    x: ArrayLike,
    *,
    pivoting: bool = False,
    full_matrices: bool = True,
    use_magma: bool | None = None,
) -> tuple[Array, Array] | tuple[Array, Array, Array]:
    """Computes QR factors."""
    results = primitives.orthogonal.qr_p.bind(
        x, pivoting=pivoting, full_matrices=full_matrices, use_magma=use_magma
    )
    return tuple(results)


@public(
    "lax.linalg.schur",
    linalg.Factorization((2,), linalg.unknown),
    static=("compute_schur_vectors", "sort_eig_vals"),
)
def schur(
    x: ArrayLike,
    *,
    compute_schur_vectors: bool = True,
    sort_eig_vals: bool = False,
    select_callable: Callable[..., Any] | None = None,
) -> list[Array]:
    """Computes the Schur decomposition."""
    return primitives.eigenvalues.schur_p.bind(
        x,
        compute_schur_vectors=compute_schur_vectors,
        sort_eig_vals=sort_eig_vals,
        select_callable=select_callable,
    )


@public(
    "lax.linalg.svd",
    linalg.Factorization((2,), linalg.unknown),
    static=("full_matrices", "compute_uv", "subset_by_index"),
)
def svd(
    x: ArrayLike,
    *,
    full_matrices: bool = True,
    compute_uv: bool = True,
    subset_by_index: tuple[int, int] | None = None,
    algorithm: SvdAlgorithm | None = None,
) -> Array | tuple[Array, Array, Array]:
    """Computes singular values and vectors."""
    results = primitives.singular_values.svd_p.bind(
        x,
        full_matrices=full_matrices,
        compute_uv=compute_uv,
        subset_by_index=subset_by_index,
        algorithm=algorithm,
    )
    return (results[1], results[0], results[2]) if compute_uv else results[0]


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
    a, c = arguments.array(a_matrix), arguments.array(c_matrix)
    product = _matrices().symmetric_product(a, c, alpha, beta)
    if not symmetrize_output:
        return product
    strict = _matrices().lower(product, -1)
    return lax.add(_matrices().lower(product), _matrices().swapped(strict))


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
    a, b = arguments.array(a), arguments.array(b)
    is_vector = arguments.rank_of(b) == arguments.rank_of(a) - 1
    if is_vector:
        b = lax.expand_dims(b, (-1 if left_side else -2,))
    is_complex = arguments.dtype_of(a).kind is Kind.COMPLEX
    solution = primitives.elimination.triangular_solve_p.bind(
        a,
        b,
        left_side=left_side,
        lower=lower,
        transpose_a=transpose_a,
        conjugate_a=conjugate_a and is_complex,
        unit_diagonal=unit_diagonal,
    )
    return lax.squeeze(solution, (-1 if left_side else -2,)) if is_vector else solution


@public("lax.linalg.tridiagonal", linalg.Factorization((2,), results.Listed(4)), static=("lower",))
def tridiagonal(a: ArrayLike, *, lower: bool = True) -> list[Array]:
    """Reduces symmetric matrices to tridiagonal form: the matrix, its diagonal, what is beside it,
    and the reflections.
    """
    return primitives.orthogonal.tridiagonal_p.bind(a, lower=lower)


@public("lax.linalg.tridiagonal_solve", results.array, static=("perturb_singular",))
def tridiagonal_solve(
    dl: Array, d: Array, du: Array, b: Array, *, perturb_singular: bool = False
) -> Array:
    """Solves systems with tridiagonal matrices."""
    return primitives.elimination.tridiagonal_solve_p.bind(
        dl, d, du, b, perturb_singular=perturb_singular
    )
