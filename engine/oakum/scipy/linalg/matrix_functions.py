"""Functions of matrices by their Schur form."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from oakum import errors, lax
from oakum import numpy as jnp
from oakum.abstract import linalg, results
from oakum.abstract.elementwise import ANYTHING
from oakum.array import Array
from oakum.numpy import arguments
from oakum.scipy.linalg import decompositions
from oakum.typing import ArrayLike
from oakum.values.declarations import public


@public(
    "scipy.linalg.sqrtm", linalg.Factorization((2,), results.array, ANYTHING), static=("blocksize",)
)
def sqrtm(A: ArrayLike, blocksize: int = 1) -> Array:
    """Computes the square root of a matrix."""
    if blocksize > 1:
        raise NotImplementedError("Blocked version is not implemented yet.")
    form, basis = decompositions.schur(A, "complex")
    root = _triangular_root(form)
    highest = lax.Precision.HIGHEST
    left = jnp.matmul(basis, root, precision=highest)
    return jnp.matmul(left, jnp.conj(basis.T), precision=highest)


def _off_diagonal(size: int, distance: int) -> Any:
    """Returns where the diagonal at a distance above the main one is."""
    return jnp.eye(size, k=distance, dtype=bool)


def _triangular_root(form: Any) -> Any:
    """Returns the square root of a triangular matrix, one diagonal after another."""
    diagonal = jnp.sqrt(jnp.diag(form))
    sums = diagonal[:, None] + diagonal[None, :]
    root = jnp.diag(diagonal)
    size = arguments.size_of(diagonal)
    for distance in range(1, size):
        # Elements closer to the diagonal are known, so that the product has the sums between.
        between = jnp.matmul(root, root, precision=lax.Precision.HIGHEST)
        missing = form - between
        value = jnp.where(missing == 0, 0, missing / jnp.where(missing == 0, 1, sums))
        root = jnp.where(_off_diagonal(size, distance), value, root)
    return root


@public("scipy.linalg.funm", static=("disp",))
def funm(
    A: ArrayLike, func: Callable[[Array], Array], disp: bool = True
) -> Array | tuple[Array, Array]:
    """Applies a function to a matrix."""
    (x,) = arguments.arrays("funm", A)
    shape = arguments.shape_of(x)
    if len(shape) != 2 or shape[0] != shape[1]:
        raise errors.ShapeError("expected square array_like input")
    form, basis = decompositions.schur(x, "real")
    form, basis = decompositions.rsf2csf(form, basis)
    values = jnp.diag(func(jnp.diag(form)))
    values = arguments.convert(values, arguments.dtype_of(form))
    values, least = _recurrence(values, form)
    result = basis @ values @ jnp.conj(basis.T)
    if disp:
        return result
    tolerance = float(jnp.finfo(result.dtype).eps)
    least = jnp.where(least == 0, tolerance, least)
    norm = jnp.linalg.norm(jnp.triu(form, 1), 1)
    estimate = jnp.minimum(1, jnp.maximum(tolerance, tolerance / least * norm))
    return result, jnp.where(jnp.any(jnp.isinf(result)), jnp.inf, estimate)


def _recurrence(values: ArrayLike, form: Any) -> tuple[Any, Any]:
    """Returns the elements above the diagonal, and the least distance of eigenvalues met."""
    size = arguments.shape_of(form)[0]
    diagonal = jnp.diag(form)
    gaps = diagonal[None, :] - diagonal[:, None]
    least = jnp.abs(form[0, 0])
    f = jnp.diag(values)
    for distance in range(1, size):
        mask = _off_diagonal(size, distance)
        # T F - F T is zero for a function F of T.
        between = jnp.triu(form, 1) @ jnp.triu(values, 1) - jnp.triu(values, 1) @ jnp.triu(form, 1)
        sums = form * (f[None, :] - f[:, None]) + between
        safe = jnp.where(gaps == 0, 1, gaps)
        values = jnp.where(mask, jnp.where(gaps == 0, sums, sums / safe), values)
        met = jnp.min(jnp.where(mask, jnp.abs(gaps), jnp.inf))
        least = jnp.minimum(least, met)
    return values, least
