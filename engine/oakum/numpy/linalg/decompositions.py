"""Decompositions of matrices."""

from __future__ import annotations

from typing import Any, NamedTuple

from oakum import lax, primitives
from oakum import numpy as jnp
from oakum.abstract import linalg
from oakum.array import Array
from oakum.numpy.operands import arguments
from oakum.typing import ArrayLike
from oakum.values.declarations import public


@public("numpy.linalg.cholesky", linalg.cholesky, static=("upper", "symmetrize_input"))
def cholesky(a: ArrayLike, *, upper: bool = False, symmetrize_input: bool = True) -> Array:
    """Computes Cholesky factors of positive definite matrices."""
    (matrix,) = arguments.promote_inexact(*arguments.arrays("jnp.linalg.cholesky", a))
    lower = lax.linalg.cholesky(matrix, symmetrize_input=symmetrize_input)
    return adjoint(lower) if upper else lower


def adjoint(a: Any) -> Any:
    """The conjugate transposes of matrices."""
    return jnp.conj(jnp.matrix_transpose(a))


@public("numpy.linalg.eig", linalg.eig)
def eig(a: ArrayLike) -> Any:
    """Computes eigenvalues and eigenvectors of general matrices."""
    (a,) = arguments.promote_inexact(*arguments.arrays("jnp.linalg.eig", a))
    values, vectors = lax.linalg.eig(a, compute_left_eigenvectors=False)
    return EigResult(values, vectors)


class EigResult(NamedTuple):
    """What `eig` gives."""

    eigenvalues: Array
    eigenvectors: Array


@public("numpy.linalg.eigh", linalg.eigh, static=("UPLO", "symmetrize_input"))
def eigh(a: ArrayLike, UPLO: str | None = None, symmetrize_input: bool = True) -> Any:
    """Computes eigenvalues and eigenvectors of Hermitian matrices."""
    return EighResult(*_eigh(a, UPLO, symmetrize_input))


def _eigh(a: Any, triangle: str | None, symmetrize: bool) -> tuple[Any, Any]:
    """The eigenvalues, in ascending order, and eigenvectors of Hermitian matrices."""
    (a,) = arguments.promote_inexact(*arguments.arrays("jnp.linalg.eigh", a))
    if triangle not in (None, "L", "U"):
        raise ValueError(f"UPLO must be one of None, 'L', or 'U', got {triangle}")
    vectors, values = lax.linalg.eigh(a, lower=triangle != "U", symmetrize_input=symmetrize)
    return values, vectors


class EighResult(NamedTuple):
    """What `eigh` gives."""

    eigenvalues: Array
    eigenvectors: Array


@public("numpy.linalg.eigvals", linalg.eigvals)
def eigvals(a: ArrayLike) -> Array:
    """Computes eigenvalues of general matrices."""
    (a,) = arguments.promote_inexact(*arguments.arrays("jnp.linalg.eigvals", a))
    options = {"compute_left_eigenvectors": False, "compute_right_eigenvectors": False}
    return lax.linalg.eig(a, **options)[0]


@public("numpy.linalg.eigvalsh", linalg.eigvalsh, static=("UPLO", "symmetrize_input"))
def eigvalsh(a: ArrayLike, UPLO: str | None = "L", *, symmetrize_input: bool = True) -> Array:
    """Computes eigenvalues of Hermitian matrices."""
    return _eigh(a, UPLO, symmetrize_input)[0]


@public("numpy.linalg.qr", linalg.qr, static=("mode",))
def qr(a: ArrayLike, mode: str = "reduced") -> Any:
    """Computes QR factors."""
    found = _qr(a, mode)
    return QRResult(*found) if isinstance(found, tuple) else found


class QRResult(NamedTuple):
    """What `qr` gives."""

    Q: Array
    R: Array


def _qr(a: Any, mode: str) -> Any:
    """The orthogonal and the triangular factor, in one of NumPy's modes."""
    (a,) = arguments.promote_inexact(*arguments.arrays("jnp.linalg.qr", a))
    if mode == "raw":
        packed, taus = primitives.orthogonal.geqrf_p.bind(a)
        return jnp.matrix_transpose(packed), taus
    if mode not in ("reduced", "r", "full", "complete"):
        raise ValueError(f"Unsupported QR decomposition mode '{mode}'")
    q, r, *_ = lax.linalg.qr(a, pivoting=False, full_matrices=mode == "complete")
    return r if mode == "r" else (q, r)


@public(
    "numpy.linalg.svd",
    linalg.svd,
    static=("full_matrices", "compute_uv", "hermitian", "subset_by_index"),
)
def svd(
    a: ArrayLike,
    full_matrices: bool = True,
    compute_uv: bool = True,
    hermitian: bool = False,
    subset_by_index: tuple[int, int] | None = None,
) -> Any:
    """Computes singular values, and vectors if asked for."""
    found = compute_svd(a, full_matrices, compute_uv, hermitian, subset_by_index)
    return SVDResult(*found) if isinstance(found, tuple) else found


class SVDResult(NamedTuple):
    """What `svd` gives."""

    U: Array
    S: Array
    Vh: Array


def compute_svd(
    a: Any,
    full_matrices: bool,
    compute_uv: bool,
    hermitian: bool,
    subset: tuple[int, int] | None,
) -> Any:
    """The singular values, with the vectors around them if asked for."""
    (a,) = arguments.promote_inexact(*arguments.arrays("jnp.linalg.svd", a))
    if hermitian:
        return _hermitian_svd(a, compute_uv, subset)
    found = lax.linalg.svd(
        a, full_matrices=full_matrices, compute_uv=compute_uv, subset_by_index=subset
    )
    return tuple(found) if compute_uv else found


def _hermitian_svd(a: Array, compute_uv: bool, subset: tuple[int, int] | None) -> Any:
    """The singular values of Hermitian matrices: the absolute eigenvalues, greatest first."""
    vectors, values = lax.linalg.eigh(a, subset_by_index=subset)
    singular = jnp.abs(values)
    if not compute_uv:
        return jnp.flip(jnp.sort(singular, axis=-1), -1)
    order = jnp.flip(jnp.argsort(singular, axis=-1), -1)
    left = jnp.take_along_axis(vectors, order[..., None, :], axis=-1)
    signs = jnp.take_along_axis(jnp.sign(values), order, axis=-1)
    right = jnp.multiply(left, arguments.convert(signs[..., None, :], arguments.dtype_of(left)))
    return left, jnp.take_along_axis(singular, order, axis=-1), adjoint(right)


@public("numpy.linalg.svdvals", linalg.singular_values)
def svdvals(x: ArrayLike, /) -> Array:
    """Computes singular values."""
    return compute_svd(x, False, False, False, None)
