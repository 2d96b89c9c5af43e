"""Singular values and vectors."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Any

from oakum import dtypes, lax
from oakum.array import Array
from oakum.dtypes import DType
from oakum.errors import ShapeError
from oakum.primitives.rules import matrices
from oakum.primitives.rules.arguments import dtype_of, shape_of
from oakum.primitives.rules.matrices import adjoint, columns, identity, on_diagonal, product, rows
from oakum.primitives.rules.matrix_batching import Result, Sizes, each, matrix_primitive
from oakum.primitives.rules.numpy_evaluation import in_compute_dtype
from oakum.typing import ArrayLike
from oakum.values import host

Subset = tuple[int, int] | None


def _results(
    dtype: DType,
    shape: Sizes,
    *,
    full_matrices: bool,
    compute_uv: bool,
    subset_by_index: Subset,
    **rest: object,
) -> list[Result]:
    m, n = shape
    rank = min(m, n)
    if subset_by_index is not None:
        if full_matrices and subset_by_index != (0, rank):
            raise ShapeError(
                "full_matrices and subset_by_index cannot both be set",
                hint="Give full_matrices=False.",
            )
        rank = min(rank, subset_by_index[1] - subset_by_index[0])
    values: Result = ((rank,), dtypes.to_real(dtype))
    if not compute_uv:
        return [values]
    left: Result = ((m, m if full_matrices else rank), None)
    right: Result = ((n if full_matrices else rank, n), None)
    return [values, left, right]


def _evaluate(
    np: ModuleType,
    a: host.Array,
    *,
    full_matrices: bool,
    compute_uv: bool,
    subset_by_index: Subset,
    **rest: object,
) -> list[Any]:
    m, n = a.shape[-2:]
    if subset_by_index not in (None, (0, min(m, n))):
        raise NotImplementedError("subset_by_index not implemented for CPU and GPU")
    wide = in_compute_dtype(a)
    real = a.real.dtype if a.dtype.kind == "c" else a.dtype
    if not min(m, n):
        return _of_nothing(np, a, real, full_matrices)[: 3 if compute_uv else 1]

    def factor(x: object) -> list[Any]:
        found = np.linalg.svd(x, full_matrices, compute_uv)
        return [found[1], found[0], found[2]] if compute_uv else [found]

    results = each(np, factor, wide)
    kinds = [real] + [a.dtype] * (len(results) - 1)
    return [x.astype(kind, copy=False) for x, kind in zip(results, kinds, strict=True)]


def _of_nothing(np: ModuleType, a: host.Array, real: object, full_matrices: bool) -> list[Any]:
    batches, (m, n) = a.shape[:-2], a.shape[-2:]
    left, right = (m, n) if full_matrices else (0, 0)
    u, vh = np.zeros((*batches, m, left), a.dtype), np.zeros((*batches, right, n), a.dtype)
    u[...], vh[...] = np.eye(m, left), np.eye(right, n)
    return [np.zeros((*batches, 0), real), u, vh]


def _jvp(
    primals: Sequence[Any],
    tangents: Sequence[Any],
    *,
    full_matrices: bool,
    compute_uv: bool,
    **params: object,
) -> tuple[list[Any], list[Any]]:
    """Perturbation theory of singular values that differ and are not zero."""
    m, n = shape_of(primals[0])[-2:]
    s, u, vh = svd_p.bind(primals[0], full_matrices=False, compute_uv=True, **params)
    if compute_uv and full_matrices and m != n:
        raise NotImplementedError(
            "Singular value decomposition JVP not implemented for full matrices"
        )
    change = tangents[0]
    inner = product(product(adjoint(u), change), adjoint(vh))
    values_change = matrices.diagonal(matrices.real(inner))
    if not compute_uv:
        return [s], [values_change]
    left, right = _turns(s, inner)
    u_change, v_change = product(u, left), product(adjoint(vh), right)
    if m > n:
        outside = product(change, adjoint(vh))
        u_change = lax.add(u_change, _outside(u, outside, s))
    if n > m:
        outside = product(adjoint(change), u)
        v_change = lax.add(v_change, _outside(adjoint(vh), outside, s))
    return [s, u, vh], [values_change, u_change, adjoint(v_change)]


def _turns(s: Array, inner: ArrayLike) -> tuple[Any, Any]:
    """Returns the rotations of the left and right singular vectors within their own spaces."""
    k, dtype = shape_of(s)[-1], dtype_of(inner)
    along, down = rows(s, k), columns(s, k)
    unit = identity(along, k)
    gaps = lax.mul(lax.add(along, down), lax.sub(along, down))
    factors = lax.sub(lax.div(lax.full_like(gaps, 1), lax.add(gaps, unit)), unit)
    factors = lax.convert_element_type(factors, dtype)
    scaled_right = lax.mul(lax.convert_element_type(along, dtype), inner)
    scaled_left = lax.mul(lax.convert_element_type(down, dtype), inner)
    zeros = lax.convert_element_type(lax.eq(s, lax.full_like(s, 0)), dtype_of(s))
    inverse = lax.sub(lax.div(lax.full_like(s, 1), lax.add(s, zeros)), zeros)
    phases = lax.mul(lax.sub(inner, adjoint(inner)), 0.5)
    phases = lax.mul(phases, lax.convert_element_type(on_diagonal(inverse), dtype))
    left = lax.mul(factors, lax.add(scaled_right, adjoint(scaled_right)))
    right = lax.mul(factors, lax.add(scaled_left, adjoint(scaled_left)))
    return lax.add(left, phases), right


def _outside(vectors: ArrayLike, change: ArrayLike, s: ArrayLike) -> Any:
    """Returns the part of the change that is orthogonal to the vectors, divided by `s`."""
    rest = lax.sub(change, product(vectors, product(adjoint(vectors), change)))
    scale = lax.convert_element_type(rows(s, shape_of(rest)[-2]), dtype_of(rest))
    return lax.div(rest, scale)


svd_p = matrix_primitive("svd", (2,), _results, _evaluate, jvp=_jvp)
