"""Linear algebra on matrices and stacks of matrices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from oakum import errors, lax
from oakum.abstract import contraction, diagonals, linalg, reshaping, results
from oakum.array import Array
from oakum.numpy import (
    arguments,
    contractions,
    determinants,
    factorizations,
    norms,
    products,
    shapes,
    solving,
)
from oakum.topology import ignored_placement
from oakum.typing import ArrayLike, Axis, DTypeLike, Placement, PrecisionLike
from oakum.values.declarations import public


class EigResult(NamedTuple):
    """What `eig` gives."""

    eigenvalues: Array
    eigenvectors: Array


class EighResult(NamedTuple):
    """What `eigh` gives."""

    eigenvalues: Array
    eigenvectors: Array


class QRResult(NamedTuple):
    """What `qr` gives."""

    Q: Array
    R: Array


class SlogdetResult(NamedTuple):
    """What `slogdet` gives."""

    sign: Array
    logabsdet: Array


class SVDResult(NamedTuple):
    """What `svd` gives."""

    U: Array
    S: Array
    Vh: Array


@public("numpy.linalg.cholesky", linalg.cholesky, static=("upper", "symmetrize_input"))
def cholesky(a: ArrayLike, *, upper: bool = False, symmetrize_input: bool = True) -> Array:
    """Computes Cholesky factors of positive definite matrices."""
    (matrix,) = arguments.promote_inexact(*arguments.arrays("jnp.linalg.cholesky", a))
    lower = lax.linalg.cholesky(matrix, symmetrize_input=symmetrize_input)
    return factorizations.adjoint(lower) if upper else lower


@public("numpy.linalg.cond", linalg.condition, static=("p",))
def cond(x: ArrayLike, p: Any = None) -> Any:
    """Computes condition numbers."""
    return norms.condition(x, p)


@public("numpy.linalg.cross", contraction.cross, static=("axis",))
def cross(x1: ArrayLike, x2: ArrayLike, /, *, axis: Axis = -1) -> Any:
    """Computes cross products of vectors of three elements."""
    left, right = arguments.arrays("jnp.linalg.cross", x1, x2)
    place: Any = axis
    sizes = (left.shape[place], right.shape[place])
    if sizes != (3, 3):
        raise errors.ShapeError(
            "Both input arrays must be (arrays of) 3-dimensional vectors, but they have "
            f"x1.shape[axis]={sizes[0]} and x2.shape[axis]={sizes[1]}"
        )
    return contractions.cross(left, right, axis=place)


@public("numpy.linalg.det", linalg.determinant)
def det(a: ArrayLike) -> Array:
    """Computes determinants."""
    return determinants.det(a)


@public("numpy.linalg.diagonal", diagonals.diagonal, static=("offset",))
def diagonal(x: ArrayLike, /, *, offset: int = 0) -> Array:
    """Takes the diagonals of matrices."""
    return shapes.diagonal(x, offset=offset, axis1=-2, axis2=-1)


@public("numpy.linalg.eig", linalg.eig)
def eig(a: ArrayLike) -> Any:
    """Computes eigenvalues and eigenvectors of general matrices."""
    (a,) = arguments.promote_inexact(*arguments.arrays("jnp.linalg.eig", a))
    values, vectors = lax.linalg.eig(a, compute_left_eigenvectors=False)
    return EigResult(values, vectors)


@public("numpy.linalg.eigh", linalg.eigh, static=("UPLO", "symmetrize_input"))
def eigh(a: ArrayLike, UPLO: str | None = None, symmetrize_input: bool = True) -> Any:
    """Computes eigenvalues and eigenvectors of Hermitian matrices."""
    return EighResult(*factorizations.eigh(a, UPLO, symmetrize_input))


@public("numpy.linalg.eigvals", linalg.eigvals)
def eigvals(a: ArrayLike) -> Array:
    """Computes eigenvalues of general matrices."""
    (a,) = arguments.promote_inexact(*arguments.arrays("jnp.linalg.eigvals", a))
    options = {"compute_left_eigenvectors": False, "compute_right_eigenvectors": False}
    return lax.linalg.eig(a, **options)[0]


@public("numpy.linalg.eigvalsh", linalg.eigvalsh, static=("UPLO", "symmetrize_input"))
def eigvalsh(a: ArrayLike, UPLO: str | None = "L", *, symmetrize_input: bool = True) -> Array:
    """Computes eigenvalues of Hermitian matrices."""
    return factorizations.eigh(a, UPLO, symmetrize_input)[0]


@public("numpy.linalg.inv", linalg.square)
def inv(a: ArrayLike) -> Array:
    """Inverts matrices."""
    return solving.inverse(a)


@public("numpy.linalg.lstsq", linalg.lstsq, static=("numpy_resid",))
def lstsq(
    a: ArrayLike, b: ArrayLike, rcond: float | None = None, *, numpy_resid: bool = False
) -> tuple[Array, Array, Array, Array]:
    """Solves systems in the sense of least squares."""
    return solving.least_squares(a, b, rcond, numpy_resid)


@public("numpy.linalg.matmul", contraction.matmul)
def matmul(
    x1: ArrayLike,
    x2: ArrayLike,
    /,
    *,
    precision: PrecisionLike = None,
    preferred_element_type: DTypeLike | None = None,
) -> Array:
    """Multiplies matrices, broadcasting leading axes."""
    return products.matmul("jnp.linalg.matmul", x1, x2, precision, preferred_element_type)


@public("numpy.linalg.matrix_norm", linalg.matrix_norm, static=("keepdims", "ord"))
def matrix_norm(x: ArrayLike, /, *, keepdims: bool = False, ord: str | int = "fro") -> Array:
    """Computes norms of matrices."""
    (x,) = arguments.arrays("jnp.linalg.matrix_norm", x)
    return norm(x, ord=ord, keepdims=keepdims, axis=(-2, -1))


@public("numpy.linalg.matrix_power", linalg.matrix_power, static=("n",))
def matrix_power(a: ArrayLike, n: int) -> Array:
    """Raises matrices to an integer power."""
    return solving.power(a, n)


@public("numpy.linalg.matrix_rank", linalg.rank, static=("hermitian",))
def matrix_rank(
    M: ArrayLike,
    rtol: ArrayLike | None = None,
    *,
    hermitian: bool = False,
    tol: ArrayLike | None = None,
) -> Array:
    """Computes ranks of matrices."""
    return norms.rank(M, rtol, hermitian, tol)


@public("numpy.linalg.matrix_transpose", reshaping.matrix_transpose)
def matrix_transpose(x: ArrayLike, /) -> Array:
    """Exchanges the last two axes."""
    (x,) = arguments.arrays("jnp.linalg.matrix_transpose", x)
    rank = arguments.rank_of(x)
    if rank < 2:
        raise ValueError(f"matrix_transpose requires at least 2 dimensions; got ndim={rank}")
    return shapes.matrix_transpose(x)


@public("numpy.linalg.multi_dot", contraction.multi_dot)
def multi_dot(arrays: Sequence[ArrayLike], *, precision: PrecisionLike = None) -> Array:
    """Multiplies several matrices in the cheapest order."""
    return solving.multi_dot(arrays, precision)


@public("numpy.linalg.norm", linalg.norm, static=("ord", "axis", "keepdims"), edge="length")
def norm(
    x: ArrayLike,
    ord: int | str | None = None,
    axis: tuple[int, ...] | int | None = None,
    keepdims: bool = False,
) -> Array:
    """Computes norms of vectors and matrices."""
    return norms.norm(x, ord, axis, keepdims)


@public("numpy.linalg.outer", contraction.outer)
def outer(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Multiplies each element of one vector by each of another."""
    x1, x2 = arguments.arrays("jnp.linalg.outer", x1, x2)
    ranks = (arguments.rank_of(x1), arguments.rank_of(x2))
    if ranks != (1, 1):
        raise ValueError(
            "Input arrays must be one-dimensional, but they are "
            f"x1.ndim={ranks[0]} x2.ndim={ranks[1]}"
        )
    return contractions.outer(x1, x2)


@public("numpy.linalg.pinv", linalg.pinv, static=("hermitian",))
def pinv(
    a: ArrayLike,
    rtol: ArrayLike | None = None,
    hermitian: bool = False,
    *,
    rcond: ArrayLike | None = None,
) -> Array:
    """Computes pseudo-inverses."""
    return solving.pseudo_inverse(a, rtol, hermitian, rcond)


@public("numpy.linalg.qr", linalg.qr, static=("mode",))
def qr(a: ArrayLike, mode: str = "reduced") -> Any:
    """Computes QR factors."""
    found = factorizations.qr(a, mode)
    return QRResult(*found) if isinstance(found, tuple) else found


@public("numpy.linalg.slogdet", linalg.slogdet, static=("method",))
def slogdet(a: ArrayLike, *, method: str | None = None) -> Any:
    """Computes signs and logarithms of determinants."""
    return SlogdetResult(*determinants.slogdet(a, method))


@public("numpy.linalg.solve", linalg.solve)
def solve(a: ArrayLike, b: ArrayLike) -> Array:
    """Solves systems of linear equations."""
    a, b = arguments.promote_inexact(*arguments.arrays("jnp.linalg.solve", a, b))
    return solving.solve(a, b)


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
    found = factorizations.svd(a, full_matrices, compute_uv, hermitian, subset_by_index)
    return SVDResult(*found) if isinstance(found, tuple) else found


@public("numpy.linalg.svdvals", linalg.singular_values)
def svdvals(x: ArrayLike, /) -> Array:
    """Computes singular values."""
    return factorizations.svd(x, False, False, False, None)


@public("numpy.linalg.tensordot", contraction.tensordot, static=("axes",))
def tensordot(
    x1: ArrayLike,
    x2: ArrayLike,
    /,
    *,
    axes: int | tuple[Sequence[int], Sequence[int]] = 2,
    precision: PrecisionLike = None,
    preferred_element_type: DTypeLike | None = None,
    out_sharding: Placement | None = None,
) -> Array:
    """Contracts given axes of two tensors."""
    ignored_placement.require("numpy.linalg.tensordot(out_sharding=...)", out_sharding)
    return products.tensordot(x1, x2, axes, precision, preferred_element_type)


@public("numpy.linalg.tensorinv", results.array, static=("ind",))
def tensorinv(a: ArrayLike, ind: int = 2) -> Array:
    """Inverts a tensor as a map between its leading and trailing axes."""
    return solving.tensor_inverse(a, ind)


@public("numpy.linalg.tensorsolve", results.array, static=("axes",))
def tensorsolve(a: ArrayLike, b: ArrayLike, axes: tuple[int, ...] | None = None) -> Array:
    """Solves an equation of tensors."""
    return solving.tensor_solve(a, b, axes)


@public("numpy.linalg.trace", diagonals.trace)
def trace(x: ArrayLike, /, *, offset: int = 0, dtype: DTypeLike | None = None) -> Array:
    """Sums the diagonals of matrices."""
    return shapes.trace(x, offset=offset, axis1=-2, axis2=-1, dtype=dtype)


@public("numpy.linalg.vecdot", contraction.vecdot, static=("axis",), edge="product")
def vecdot(
    x1: ArrayLike,
    x2: ArrayLike,
    /,
    *,
    axis: int = -1,
    precision: PrecisionLike = None,
    preferred_element_type: DTypeLike | None = None,
) -> Array:
    """Multiplies vectors along an axis, the first conjugated, and sums."""
    return products.vecdot(x1, x2, axis, precision, preferred_element_type)


@public("numpy.linalg.vector_norm", linalg.norm, static=("axis", "keepdims", "ord"), edge="length")
def vector_norm(
    x: ArrayLike,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    keepdims: bool = False,
    ord: int | str = 2,
) -> Array:
    """Computes norms of vectors."""
    (x,) = arguments.arrays("jnp.linalg.vector_norm", x)
    return norms.vector_norm(x, ord, axis, keepdims)
