"""Linear algebra on matrices and stacks of matrices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from oakum.abstract import contraction, diagonals, linalg, reshaping, results
from oakum.array import Array
from oakum.facts import public
from oakum.typing import ArrayLike, Axis, DTypeLike, Placement, PrecisionLike


@public("numpy.linalg.cholesky", linalg.cholesky, static=("upper", "symmetrize_input"))
def cholesky(a: ArrayLike, *, upper: bool = False, symmetrize_input: bool = True) -> Array:
    """Computes Cholesky factors of positive definite matrices."""
    ...


@public("numpy.linalg.cond", linalg.condition, static=("p",))
def cond(x: ArrayLike, p: Any = None) -> Any:
    """Computes condition numbers."""
    ...


@public("numpy.linalg.cross", contraction.cross, static=("axis",))
def cross(x1: ArrayLike, x2: ArrayLike, /, *, axis: Axis = -1) -> Any:
    """Computes cross products of vectors of three elements."""
    ...


@public("numpy.linalg.det", linalg.determinant)
def det(a: ArrayLike) -> Array:
    """Computes determinants."""
    ...


@public("numpy.linalg.diagonal", diagonals.diagonal, static=("offset",))
def diagonal(x: ArrayLike, /, *, offset: int = 0) -> Array:
    """Takes the diagonals of matrices."""
    ...


@public("numpy.linalg.eig", linalg.eig)
def eig(a: ArrayLike) -> Any:
    """Computes eigenvalues and eigenvectors of general matrices."""
    ...


@public("numpy.linalg.eigh", linalg.eigh, static=("UPLO", "symmetrize_input"))
def eigh(a: ArrayLike, UPLO: str | None = None, symmetrize_input: bool = True) -> Any:
    """Computes eigenvalues and eigenvectors of Hermitian matrices."""
    ...


@public("numpy.linalg.eigvals", linalg.eigvals)
def eigvals(a: ArrayLike) -> Array:
    """Computes eigenvalues of general matrices."""
    ...


@public("numpy.linalg.eigvalsh", linalg.eigvalsh, static=("UPLO", "symmetrize_input"))
def eigvalsh(a: ArrayLike, UPLO: str | None = "L", *, symmetrize_input: bool = True) -> Array:
    """Computes eigenvalues of Hermitian matrices."""
    ...


@public("numpy.linalg.inv", linalg.square)
def inv(a: ArrayLike) -> Array:
    """Inverts matrices."""
    ...


@public("numpy.linalg.lstsq", linalg.lstsq, static=("numpy_resid",))
def lstsq(
    a: ArrayLike, b: ArrayLike, rcond: float | None = None, *, numpy_resid: bool = False
) -> tuple[Array, Array, Array, Array]:
    """Solves systems in the sense of least squares."""
    ...


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
    ...


@public("numpy.linalg.matrix_norm", linalg.matrix_norm, static=("keepdims", "ord"))
def matrix_norm(x: ArrayLike, /, *, keepdims: bool = False, ord: str | int = "fro") -> Array:
    """Computes norms of matrices."""
    ...


@public("numpy.linalg.matrix_power", linalg.matrix_power, static=("n",))
def matrix_power(a: ArrayLike, n: int) -> Array:
    """Raises matrices to an integer power."""
    ...


@public("numpy.linalg.matrix_rank", linalg.rank, static=("hermitian",))
def matrix_rank(
    M: ArrayLike,
    rtol: ArrayLike | None = None,
    *,
    hermitian: bool = False,
    tol: ArrayLike | None = None,
) -> Array:
    """Computes ranks of matrices."""
    ...


@public("numpy.linalg.matrix_transpose", reshaping.matrix_transpose)
def matrix_transpose(x: ArrayLike, /) -> Array:
    """Exchanges the last two axes."""
    ...


@public("numpy.linalg.multi_dot", contraction.multi_dot)
def multi_dot(arrays: Sequence[ArrayLike], *, precision: PrecisionLike = None) -> Array:
    """Multiplies several matrices in the cheapest order."""
    ...


@public("numpy.linalg.norm", linalg.norm, static=("ord", "axis", "keepdims"))
def norm(
    x: ArrayLike,
    ord: int | str | None = None,
    axis: tuple[int, ...] | int | None = None,
    keepdims: bool = False,
) -> Array:
    """Computes norms of vectors and matrices."""
    ...


@public("numpy.linalg.outer", contraction.outer)
def outer(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Multiplies each element of one vector by each of another."""
    ...


@public("numpy.linalg.pinv", linalg.pinv, static=("hermitian",))
def pinv(
    a: ArrayLike,
    rtol: ArrayLike | None = None,
    hermitian: bool = False,
    *,
    rcond: ArrayLike | None = None,
) -> Array:
    """Computes pseudo-inverses."""
    ...


@public("numpy.linalg.qr", linalg.qr, static=("mode",))
def qr(a: ArrayLike, mode: str = "reduced") -> Any:
    """Computes QR factors."""
    ...


@public("numpy.linalg.slogdet", linalg.slogdet, static=("method",))
def slogdet(a: ArrayLike, *, method: str | None = None) -> Any:
    """Computes signs and logarithms of determinants."""
    ...


@public("numpy.linalg.solve", linalg.solve)
def solve(a: ArrayLike, b: ArrayLike) -> Array:
    """Solves systems of linear equations."""
    ...


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
    ...


@public("numpy.linalg.svdvals", linalg.singular_values)
def svdvals(x: ArrayLike, /) -> Array:
    """Computes singular values."""
    ...


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
    ...


@public("numpy.linalg.tensorinv", results.array, static=("ind",))
def tensorinv(a: ArrayLike, ind: int = 2) -> Array:
    """Inverts a tensor as a map between its leading and trailing axes."""
    ...


@public("numpy.linalg.tensorsolve", results.array, static=("axes",))
def tensorsolve(a: ArrayLike, b: ArrayLike, axes: tuple[int, ...] | None = None) -> Array:
    """Solves an equation of tensors."""
    ...


@public("numpy.linalg.trace", diagonals.trace)
def trace(x: ArrayLike, /, *, offset: int = 0, dtype: DTypeLike | None = None) -> Array:
    """Sums the diagonals of matrices."""
    ...


@public("numpy.linalg.vecdot", contraction.vecdot, static=("axis",))
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
    ...


@public("numpy.linalg.vector_norm", linalg.norm, static=("axis", "keepdims", "ord"))
def vector_norm(
    x: ArrayLike,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    keepdims: bool = False,
    ord: int | str = 2,
) -> Array:
    """Computes norms of vectors."""
    ...
