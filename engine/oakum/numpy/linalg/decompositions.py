"""Decompositions of matrices, and norms, condition numbers and ranks."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from oakum import errors, lax, primitives
from oakum import numpy as jnp
from oakum.abstract import linalg
from oakum.array import Array
from oakum.numpy import arguments, coercion
from oakum.numpy.linalg import systems
from oakum.typing import ArrayLike, Axis
from oakum.values.declarations import public


@public("numpy.linalg.cholesky", linalg.cholesky, static=("upper", "symmetrize_input"))
def cholesky(a: ArrayLike, *, upper: bool = False, symmetrize_input: bool = True) -> Array:
    """Computes Cholesky factors of positive definite matrices."""
    (matrix,) = arguments.promote_inexact(*arguments.arrays("jnp.linalg.cholesky", a))
    lower = lax.linalg.cholesky(matrix, symmetrize_input=symmetrize_input)
    return adjoint(lower) if upper else lower


def adjoint(a: Any) -> Any:
    """Returns the conjugate transposes of matrices."""
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
    """Returns the eigenvalues, in ascending order, and eigenvectors of Hermitian matrices."""
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
    return lax.linalg.eig(a, compute_left_eigenvectors=False, compute_right_eigenvectors=False)[0]


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
    """Returns the orthogonal and the triangular factor, in one of NumPy's modes."""
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
    """Returns the singular values, with the vectors around them if asked for."""
    (a,) = arguments.promote_inexact(*arguments.arrays("jnp.linalg.svd", a))
    if hermitian:
        return _hermitian_svd(a, compute_uv, subset)
    found = lax.linalg.svd(
        a, full_matrices=full_matrices, compute_uv=compute_uv, subset_by_index=subset
    )
    return tuple(found) if compute_uv else found


def _hermitian_svd(a: Array, compute_uv: bool, subset: tuple[int, int] | None) -> Any:
    """Returns the singular values of Hermitian matrices: the absolute eigenvalues, greatest
    first.
    """
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


@public("numpy.linalg.cond", linalg.condition, static=("p",))
def cond(x: ArrayLike, p: Any = None) -> Any:
    """Computes condition numbers."""
    (x,) = arguments.arrays("cond", x)
    shape = arguments.shape_of(x)
    if len(shape) < 2:
        raise errors.ShapeError(
            f"jnp.linalg.cond: input array must be at least 2D; got arr.shape={shape}"
        )
    if 0 in shape[-2:]:
        raise ValueError(f"jnp.linalg.cond: input array must not be empty; got arr.shape={shape}")
    if p is None or p in (2, -2):
        singular = compute_svd(x, False, False, False, None)
        first, last = singular[..., 0], singular[..., -1]
        if p != -2:
            return jnp.divide(first, last)
        found = jnp.divide(last, first)
    else:
        if shape[-2] != shape[-1]:
            raise ValueError(
                f"jnp.linalg.cond: for p={p!r}, array must be square; got arr.shape={shape}"
            )
        inverse = systems.inverse(x)
        found = jnp.multiply(
            compute_norm(x, p, (-2, -1), False), compute_norm(inverse, p, (-2, -1), False)
        )
    undefined = jnp.logical_and(jnp.isnan(found), jnp.logical_not(jnp.any(jnp.isnan(x), (-2, -1))))
    return jnp.where(undefined, jnp.inf, found)


def compute_norm(x: Any, ord: Any, axis: object, keepdims: bool) -> Any:
    """Returns the norm along one axis, of vectors, or two, of matrices."""
    (x,) = arguments.promote_inexact(*arguments.arrays("jnp.linalg.norm", x))
    rank = arguments.rank_of(x)
    if axis is None and ord is None:
        return jnp.sqrt(_squares(x, None, keepdims))
    axes = arguments.axes(axis, rank)
    if len(axes) == 1:
        return _vector_norm(x, 2 if ord is None else ord, axes, keepdims)
    if len(axes) == 2:
        return _matrix_norm(x, ord, axes, keepdims)
    raise ValueError(
        f"Improper number of axes for norm: axis={axis}. Pass one axis to compute a vector-norm, "
        "or two axes to compute a matrix-norm."
    )


def _matrix_norm(x: Any, ord: Any, axes: tuple[int, ...], keepdims: bool) -> Any:
    if ord is None or ord in ("f", "fro"):
        return jnp.sqrt(_squares(x, axes, keepdims))
    if ord in ("nuc", 2, -2):
        singular = compute_svd(jnp.moveaxis(x, axes, (-2, -1)), False, False, False, None)
        if ord == "nuc":
            found = jnp.sum(singular, axis=-1)
        else:
            found = jnp.max(singular, -1, initial=0) if ord == 2 else jnp.min(singular, axis=-1)
        return jnp.expand_dims(found, axes) if keepdims else found
    if ord not in (1, -1, math.inf, -math.inf):
        raise ValueError(f"Invalid order '{ord}' for matrix norm.")
    summed, rest = axes if abs(ord) == 1 else axes[::-1]
    sums = jnp.sum(jnp.abs(x), axis=summed, keepdims=True)
    if ord > 0:
        found = jnp.max(sums, axis=rest, keepdims=True, initial=0)
    else:
        found = jnp.min(sums, axis=rest, keepdims=True)
    return found if keepdims else jnp.squeeze(found, axes)


def _squares(x: Any, axis: Axis, keepdims: bool) -> Any:
    """Returns the sums of squares of absolute values."""
    if arguments.is_complex(x):
        parts = jnp.real(jnp.multiply(x, jnp.conj(x)))
        return jnp.sum(parts, axis=axis, keepdims=keepdims)
    return jnp.sum(jnp.multiply(x, x), axis=axis, keepdims=keepdims)


def _vector_norm(x: Any, ord: Any, axis: Axis, keepdims: bool) -> Any:
    """Returns the norm of some order of vectors."""
    options: dict[str, Any] = {"axis": axis, "keepdims": keepdims}
    if isinstance(ord, str):
        hint = (
            f" Use '{ord.replace('inf', 'jax.numpy.inf')}' instead." if ord.endswith("inf") else ""
        )
        raise ValueError(f"Invalid order '{ord}' for vector norm.{hint}")
    if ord is None or ord == 2:
        return jnp.sqrt(_squares(x, axis, keepdims))
    if ord == 0:
        dtype = coercion.to_inexact(arguments.dtype_of(jnp.abs(x)))
        return jnp.sum(jnp.not_equal(x, 0), dtype=dtype, **options)
    sizes = jnp.abs(x)
    if ord == math.inf:
        return jnp.max(sizes, initial=0, **options)
    if ord == -math.inf:
        return jnp.min(sizes, **options)
    if ord == 1:
        return jnp.sum(sizes, **options)
    return jnp.power(jnp.sum(jnp.power(sizes, ord), **options), 1.0 / ord)


@public("numpy.linalg.matrix_norm", linalg.matrix_norm, static=("keepdims", "ord"))
def matrix_norm(x: ArrayLike, /, *, keepdims: bool = False, ord: str | float = "fro") -> Array:
    """Computes norms of matrices."""
    (x,) = arguments.arrays("jnp.linalg.matrix_norm", x)
    return norm(x, ord=ord, keepdims=keepdims, axis=(-2, -1))


@public("numpy.linalg.matrix_rank", linalg.rank, static=("hermitian",))
def matrix_rank(
    M: ArrayLike,
    rtol: ArrayLike | None = None,
    *,
    hermitian: bool = False,
    tol: ArrayLike | None = None,
) -> Array:
    """Computes ranks of matrices."""
    (x,) = arguments.promote_inexact(*arguments.arrays("jnp.linalg.matrix_rank", M))
    if tol is not None:
        if rtol is not None:
            raise ValueError("matrix_rank: only one of tol or rtol may be specified.")
        rtol = tol
    limit: Any = rtol
    if arguments.rank_of(x) < 2:
        return arguments.convert(jnp.any(jnp.not_equal(x, 0)), arguments.default_int())
    singular = compute_svd(x, False, False, hermitian, None)
    if rtol is None:
        eps = float(jnp.finfo(singular.dtype).eps)
        limit = jnp.max(singular, -1) * max(arguments.shape_of(x)[-2:]) * eps
    return jnp.sum(jnp.greater(singular, jnp.expand_dims(limit, arguments.rank_of(limit))), axis=-1)


@public("numpy.linalg.norm", linalg.norm, static=("ord", "axis", "keepdims"), edge="length")
def norm(
    x: ArrayLike,
    ord: float | str | None = None,
    axis: tuple[int, ...] | int | None = None,
    keepdims: bool = False,
) -> Array:
    """Computes norms of vectors and matrices."""
    return compute_norm(x, ord, axis, keepdims)


@public("numpy.linalg.vector_norm", linalg.norm, static=("axis", "keepdims", "ord"), edge="length")
def vector_norm(
    x: ArrayLike,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    keepdims: bool = False,
    ord: float | str = 2,
) -> Array:
    """Computes norms of vectors."""
    (x,) = arguments.arrays("jnp.linalg.vector_norm", x)
    return _vector_norm(x, ord, axis, keepdims)
