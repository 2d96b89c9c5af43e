"""Sample operands and parameters of the primitives of linear algebra."""

from __future__ import annotations

from typing import Any

import numpy as np
from tests.engine.primitive_samples import Case, Draw, Params, case

from oakum import lax
from oakum.dtypes import Kind
from oakum.primitives.rules import matrices
from oakum.tracing.trace import aval_of


def _pivots(raw: Any) -> Any:
    """Rows to change each row with, of which none lies above it."""
    return np.maximum(raw, np.arange(raw.shape[-1], dtype=raw.dtype))


def _adjoint(raw: Any) -> Any:
    return np.swapaxes(raw, -1, -2).conj()


def _positive(raw: Any) -> Any:
    """Positive definite matrices."""
    if raw.dtype.kind not in "fc":
        return raw
    return (raw @ _adjoint(raw) + 3 * np.eye(raw.shape[-1])).astype(raw.dtype)


def _dominant(raw: Any) -> Any:
    """Matrices with large elements on the diagonal, so that they are far from singular."""
    return raw if raw.dtype.kind not in "fc" else raw + 4 * np.eye(raw.shape[-1], dtype=raw.dtype)


def _numbers(raw: Any) -> Any:
    size: int = raw.shape[-1]
    return np.arange(size)


def _apart(raw: Any) -> Any:
    """Matrices whose eigenvalues are apart."""
    return _dominant(raw) + np.diag(_numbers(raw)).astype(raw.dtype)


def _triangular(raw: Any) -> Any:
    return np.triu(_dominant(raw))


def _spread_out(raw: Any) -> Any:
    """Hermitian matrices whose eigenvalues are apart."""
    if raw.dtype.kind not in "fc":
        return raw
    return (raw + _adjoint(raw) + np.diag(4 * _numbers(raw))).astype(raw.dtype)


def _symmetric(operands: list[Any]) -> list[Any]:
    return [matrices.symmetrized(operands[0])]


def _sizes(results: list[Any]) -> list[Any]:
    """The results, where they are complex without their phases."""
    kinds = [aval_of(each).dtype for each in results]
    return [
        lax.abs(each) if kind is not None and kind.kind is Kind.COMPLEX else each
        for each, kind in zip(results, kinds, strict=True)
    ]


def _values_and_sizes(results: list[Any]) -> list[Any]:
    """The eigenvalues, and the vectors without their phases."""
    return [results[0], *_sizes(results[1:])]


_EIGH = {"lower": True, "sort_eigenvalues": True, "subset_by_index": None, "algorithm": None}
_EIG: Params = {"enable_eigvec_derivs": True, "implementation": None}
_SVD = {"subset_by_index": None, "algorithm": None}
_QR: Params = {"use_magma": None}
_SOLVE: Params = {"conjugate_a": False, "unit_diagonal": False}

LINEAR_ALGEBRA: dict[str, list[Case]] = {
    "cholesky": [
        case(Draw((3, 3), make=_positive), prepare=_symmetric),
        case(Draw((2, 2, 2), make=_positive), prepare=_symmetric),
    ],
    "cholesky_update": [case(Draw((3, 3), make=_triangular), (3,))],
    "eigh": [
        case(
            Draw(shape, make=_spread_out),
            params={**_EIGH, "lower": lower},
            prepare=_symmetric,
            compare=_sizes,
        )
        for shape, lower in (((3, 3), True), ((2, 2, 2), False))
    ],
    "eig": [
        case(
            Draw((3, 3), make=_apart),
            params={**_EIG, "compute_left_eigenvectors": left, "compute_right_eigenvectors": right},
            compare=_values_and_sizes,
            tolerance=1e-4,
        )
        for left, right in ((False, False), (True, True))
    ],
    "schur": [case((3, 3), compute_schur_vectors=True, sort_eig_vals=False, select_callable=None)],
    "lu": [case(Draw(shape, make=None)) for shape in ((3, 3), (2, 4, 3), (2, 3))],
    "lu_pivots_to_permutation": [
        case(Draw((3,), 0, 3, "int32", _pivots), permutation_size=4),
        case(Draw((2, 2), 0, 2, "int32", _pivots), permutation_size=3),
    ],
    "triangular_solve": [
        case(
            Draw((3, 3), make=_dominant),
            (2, 3) if not left else (3, 2),
            params={**_SOLVE, "left_side": left, "lower": lower, "transpose_a": turned, **more},
        )
        for left, lower, turned, more in (
            (True, True, False, {}),
            (False, False, False, {"unit_diagonal": True}),
            (True, False, True, {"conjugate_a": True}),
        )
    ],
    "tridiagonal_solve": [
        case((4,), Draw((4,), 5, 6), (4,), (4, 2), perturb_singular=False, fixed=(0, 2)),
    ],
    "geqrf": [case((4, 3)), case((2, 2, 3))],
    "householder_product": [case((4, 3), (3,)), case((2, 3, 3), (2, 2))],
    "ormqr": [
        case((3, 3), (3,), (3, 2), left=True, transpose=True),
        case((3, 3), (3,), (2, 3), left=False, transpose=False),
    ],
    "qr": [
        case(shape, params={**_QR, "pivoting": pivoting, "full_matrices": full}, tolerance=1e-4)
        for shape, pivoting, full in (
            ((4, 3), False, False),
            ((3, 3), False, True),
            ((2, 2, 3), False, False),
            ((4, 3), True, False),
        )
    ],
    "hessenberg": [case((3, 3))],
    "tridiagonal": [case(Draw((3, 3), make=_spread_out), lower=True)],
    "svd": [
        case(
            Draw(shape),
            params={**_SVD, "compute_uv": vectors, "full_matrices": full},
            compare=_sizes,
            tolerance=1e-4,
        )
        for shape, vectors, full in (
            ((3, 3), True, False),
            ((2, 4, 3), True, False),
            ((2, 3), False, False),
        )
    ],
}
