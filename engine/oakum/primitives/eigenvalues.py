"""Eigenvalues and eigenvectors of Hermitian and of general matrices, and the Schur form."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Any

from oakum import dtypes, lax
from oakum.array import Array
from oakum.dtypes import DType
from oakum.errors import ShapeError
from oakum.primitives.host.linalg.schur import schur
from oakum.primitives.rules import matrices
from oakum.primitives.rules.arguments import dtype_of, shape_of
from oakum.primitives.rules.matrices import adjoint, columns, diagonal, identity, product, rows
from oakum.primitives.rules.matrix_batching import (
    Result,
    Sizes,
    each,
    finite,
    matrix_primitive,
    square,
)
from oakum.primitives.rules.numpy_evaluation import in_compute_dtype
from oakum.typing import ArrayLike
from oakum.values import host

Subset = tuple[int, int] | None


def _eigh_results(
    dtype: DType, shape: Sizes, *, subset_by_index: Subset, **rest: object
) -> list[Result]:
    if shape[0] != shape[1]:
        raise ShapeError(
            "Argument to symmetric eigendecomposition must have shape [..., n, n], got shape "
            f"{shape}",
            hint="Give a square matrix.",
        )
    n = shape[0]
    count = n if subset_by_index is None else subset_by_index[1] - subset_by_index[0]
    return [((n, count), None), ((count,), dtypes.to_real(dtype))]


def _check_subset(size: int, subset: Subset) -> None:
    if subset not in (None, (0, size)):
        raise NotImplementedError("subset_by_index not supported on CPU and GPU")


def _evaluate_eigh(
    np: ModuleType, a: host.Array, *, lower: bool, subset_by_index: Subset, **rest: object
) -> list[Any]:
    _check_subset(a.shape[-1], subset_by_index)
    half = "L" if lower else "U"

    def factor(x: host.Array) -> Any:
        return np.linalg.eigh(x, half)

    values, vectors = each(np, factor, in_compute_dtype(a))
    real = a.real.dtype if a.dtype.kind == "c" else a.dtype
    return [vectors.astype(a.dtype, copy=False), values.astype(real, copy=False)]


def _reciprocal_gaps(values: Array) -> Any:
    """1 / (w_j - w_i), with zeros on the diagonal."""
    n = shape_of(values)[-1]
    unit = identity(columns(values, n), n)
    gaps = lax.sub(lax.add(unit, rows(values, n)), columns(values, n))
    return lax.sub(lax.integer_pow(gaps, -1), unit)


def _jvp_eigh(
    primals: Sequence[Any], tangents: Sequence[Any], *, subset_by_index: Subset, **params: object
) -> tuple[Any, Any]:
    """Perturbation theory of eigenvalues that differ."""
    _check_subset(shape_of(primals[0])[-1], subset_by_index)
    vectors, values = eigh_p.bind(
        matrices.symmetrized(primals[0]), subset_by_index=subset_by_index, **params
    )
    inner = product(product(adjoint(vectors), tangents[0]), vectors)
    gaps = _reciprocal_gaps(lax.convert_element_type(values, dtype_of(vectors)))
    change = product(vectors, lax.mul(gaps, inner))
    return [vectors, values], [change, diagonal(matrices.real(inner))]


eigh_p = matrix_primitive("eigh", (2,), _eigh_results, _evaluate_eigh, jvp=_jvp_eigh)


def _eig_results(
    dtype: DType,
    shape: Sizes,
    *,
    compute_left_eigenvectors: bool,
    compute_right_eigenvectors: bool,
    **rest: object,
) -> list[Result]:
    square("The input to eig must be a square matrix.", shape)
    kind = dtypes.to_complex(dtype)
    count = compute_left_eigenvectors + compute_right_eigenvectors
    vectors: list[Result] = [(shape, kind)] * count
    return [(shape[:-1], kind), *vectors]


def _evaluate_eig(
    np: ModuleType,
    a: host.Array,
    *,
    compute_left_eigenvectors: bool,
    compute_right_eigenvectors: bool,
    **rest: object,
) -> list[Any]:
    wide = in_compute_dtype(a)
    kind = np.result_type(wide.dtype, np.complex64)
    good = finite(np, wide)
    safe = np.where(good[..., None, None], wide, np.eye(a.shape[-1], dtype=wide.dtype))
    values, right = each(np, np.linalg.eig, safe)
    results = [np.where(good[..., None], values, np.nan)]
    if compute_left_eigenvectors:
        results.append(np.where(good[..., None, None], _left(np, right.astype(kind)), np.nan))
    if compute_right_eigenvectors:
        results.append(np.where(good[..., None, None], right, np.nan))
    return [x.astype(kind, copy=False) for x in results]


def _left(np: ModuleType, right: host.Array) -> Any:
    """Returns the left eigenvectors for the right ones, of length 1 and with a real largest
    element.
    """
    if not right.size:
        return right
    wide = right.astype(np.complex128)
    try:
        inverse = np.linalg.inv(wide)
    except np.linalg.LinAlgError:
        inverse = np.linalg.pinv(wide)
    left = np.swapaxes(inverse, -1, -2).conj()
    left = left / np.linalg.norm(left, axis=-2, keepdims=True)
    largest = np.take_along_axis(left, np.argmax(np.abs(left), -2)[..., None, :], -2)
    size = np.abs(largest)
    return left * np.where(size == 0, 1, largest.conj() / np.where(size == 0, 1, size))


def _jvp_eig(primals: Sequence[Any], tangents: Sequence[Any], **params: object) -> tuple[Any, Any]:
    left = params["compute_left_eigenvectors"]
    right = params["compute_right_eigenvectors"]
    if (left or right) and not params["enable_eigvec_derivs"]:
        raise NotImplementedError(
            "Derivatives of non-symmetric eigenvectors are only valid under assumptions on the "
            "input that cannot be checked (see the enable_eigvec_derivs argument to "
            "jax.lax.linalg.eig). Pass enable_eigvec_derivs=True to jax.lax.linalg.eig to opt in."
        )
    results = eig_p.bind(primals[0], **{**params, "compute_right_eigenvectors": True})
    values, vectors = results[0], results[-1]
    change = lax.convert_element_type(tangents[0], dtype_of(vectors))
    values_change, vectors_change = _derive_vectors(values, vectors, change)
    primal, tangent = [values], [values_change]
    if left:
        opposite = lax.conj(values)
        primal.append(results[1])
        tangent.append(_derive_vectors(opposite, results[1], adjoint(change))[1])
    if right:
        primal.append(vectors)
        tangent.append(vectors_change)
    return primal, tangent


def _derive_vectors(values: Array, vectors: Array, change: ArrayLike) -> tuple[Any, Any]:
    """Perturbation theory; each vector keeps length 1 and a real largest element."""
    inner = product(matrices.solve(vectors, change), vectors)
    moved = product(vectors, lax.mul(_reciprocal_gaps(values), inner))
    rank, n = len(shape_of(vectors)), shape_of(vectors)[-1]
    largest = lax.argmax(lax.abs(vectors), rank - 2, dtypes.int32)
    row = lax.broadcasted_iota(dtypes.int32, shape_of(vectors), rank - 2)
    mask = lax.convert_element_type(lax.eq(row, rows(largest, n)), dtype_of(vectors))

    def total(x: ArrayLike) -> Any:
        return lax.reduce_sum(x, (rank - 2,))

    along = lax.neg(lax.real(total(lax.mul(lax.conj(vectors), moved))))
    turned = lax.imag(total(lax.mul(mask, moved)))
    turn = lax.neg(lax.div(turned, lax.real(total(lax.mul(mask, vectors)))))
    shift = rows(lax.complex(along, turn), n)
    return diagonal(inner), lax.add(moved, lax.mul(vectors, shift))


eig_p = matrix_primitive("eig", (2,), _eig_results, _evaluate_eig, jvp=_jvp_eig)


def _schur_results(
    dtype: object, shape: Sizes, *, compute_schur_vectors: bool, **rest: object
) -> list[Result]:
    square("The input to schur must be a square matrix.", shape)
    form: Result = (shape, None)
    return [form, form] if compute_schur_vectors else [form]


def _evaluate_schur(
    np: ModuleType,
    a: host.Array,
    *,
    compute_schur_vectors: bool,
    sort_eig_vals: bool,
    **rest: object,
) -> list[Any]:
    if sort_eig_vals:
        raise NotImplementedError("The sort feature of LAPACK's gees routine is not implemented.")
    results = [x.astype(a.dtype, copy=False) for x in schur(np, in_compute_dtype(a))]
    return results if compute_schur_vectors else results[:1]


schur_p = matrix_primitive("schur", (2,), _schur_results, _evaluate_schur)
