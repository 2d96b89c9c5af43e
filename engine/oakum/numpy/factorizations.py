"""Factors of matrices: eigenvectors, singular vectors, orthogonal and triangular ones."""

from __future__ import annotations

from typing import Any

from oakum import lax, primitives
from oakum import numpy as jnp
from oakum.numpy import arguments


def adjoint(a: Any) -> Any:
    """The conjugate transposes of matrices."""
    return jnp.conj(jnp.matrix_transpose(a))


def eigh(a: Any, triangle: str | None, symmetrize: bool) -> tuple[Any, Any]:
    """The eigenvalues, in ascending order, and eigenvectors of Hermitian matrices."""
    (a,) = arguments.promote_inexact(*arguments.arrays("jnp.linalg.eigh", a))
    if triangle not in (None, "L", "U"):
        raise ValueError(f"UPLO must be one of None, 'L', or 'U', got {triangle}")
    vectors, values = lax.linalg.eigh(a, lower=triangle != "U", symmetrize_input=symmetrize)
    return values, vectors


def svd(
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


def _hermitian_svd(a: Any, compute_uv: bool, subset: tuple[int, int] | None) -> Any:
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


def qr(a: Any, mode: str) -> Any:
    """The orthogonal and the triangular factor, in one of NumPy's modes."""
    (a,) = arguments.promote_inexact(*arguments.arrays("jnp.linalg.qr", a))
    if mode == "raw":
        packed, taus = primitives.orthogonal.geqrf_p.bind(a)
        return jnp.matrix_transpose(packed), taus
    if mode not in ("reduced", "r", "full", "complete"):
        raise ValueError(f"Unsupported QR decomposition mode '{mode}'")
    q, r, *_ = lax.linalg.qr(a, pivoting=False, full_matrices=mode == "complete")
    return r if mode == "r" else (q, r)
