"""Cholesky factors of positive definite matrices, and their change for one vector."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Any

from oakum import lax
from oakum.abstract.elementwise import FLOATS
from oakum.errors import ShapeError
from oakum.primitives.rules.arguments import shape_of
from oakum.primitives.rules.lowering import Kernel
from oakum.primitives.rules.matrices import identity, lower, product
from oakum.primitives.rules.matrix_batching import (
    Result,
    Sizes,
    each,
    matrix_primitive,
    square,
)
from oakum.primitives.rules.numpy_evaluation import in_compute_dtype
from oakum.values import host


def _result(dtype: object, shape: Sizes) -> list[Result]:
    square("The input to cholesky must be a square matrix.", shape)
    return [(shape, None)]


def _evaluate(np: ModuleType, x: host.Array) -> Any:
    """Returns the factors; NaN for a matrix that is not positive definite."""

    def factor(a: host.Array) -> list[Any]:
        factors = np.linalg.cholesky(a)
        # Not all LAPACK libraries see that a pivot which is NaN is none.
        without = np.isnan(np.diagonal(factors, axis1=-2, axis2=-1)).any(-1)
        return [np.where(without[..., None, None], np.nan, factors)]

    (factors,) = each(np, factor, in_compute_dtype(x))
    return factors.astype(x.dtype, copy=False)


def _jvp(primals: Sequence[Any], tangents: Sequence[Any]) -> tuple[Any, Any]:
    """Murray, "Differentiation of the Cholesky decomposition" (2016), section 3.1."""
    factors = lower(cholesky_p.bind(primals[0]))
    solve = lax.linalg.triangular_solve
    right = solve(factors, tangents[0], lower=True, transpose_a=True, conjugate_a=True)
    both = lower(solve(factors, right, left_side=True, lower=True))
    ones = lax.full_like(both, 1)
    halves = lax.div(both, lax.add(ones, identity(both, shape_of(both)[-1])))
    return factors, product(factors, halves)


cholesky_p = matrix_primitive(
    "cholesky", (2,), _result, _evaluate, one_result=True, jvp=_jvp, lower=Kernel("cholesky")
)


def _updated(dtype: object, factor: Sizes, vector: Sizes) -> list[Result]:
    if factor[0] != factor[1] or vector[0] != factor[1]:
        raise ShapeError(
            "Rank-1 update to Cholesky decomposition takes a square matrix and a vector of the "
            f"same size as input. Got shapes {factor} and {vector} instead",
            hint="Give the factor of a matrix and a vector of its size.",
        )
    return [(factor, None)]


def _evaluate_update(np: ModuleType, factor: host.Array, vector: object) -> Any:
    """Rotates the vector into the rows of an upper factor, one after another."""
    r, z = np.array(factor), np.array(vector)
    for k in range(z.shape[-1]):
        pivot, below = r[..., k, k], z[..., k]
        still = below == 0
        length = np.where(still, 1, np.hypot(pivot, below))
        cosine = np.where(still, 1, pivot / length)[..., None]
        sine = np.where(still, 0, below / length)[..., None]
        row = cosine * r[..., k, :] + sine * z
        z = cosine * z - sine * r[..., k, :]
        r[..., k, :] = row
    return r.astype(factor.dtype, copy=False)


cholesky_update_p = matrix_primitive(
    "cholesky_update", (2, 1), _updated, _evaluate_update, groups=FLOATS, one_result=True
)
