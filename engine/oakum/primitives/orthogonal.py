"""Factors with orthogonal (unitary) matrices, which are products of reflections."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Any

from oakum import dtypes, lax
from oakum.dtypes import DType
from oakum.errors import ShapeError
from oakum.primitives.host.linalg import reflections
from oakum.primitives.rules import matrices
from oakum.primitives.rules.arguments import shape_of
from oakum.primitives.rules.derivatives import zero_of
from oakum.primitives.rules.lowering import Kernel
from oakum.primitives.rules.matrices import adjoint, below, beside, part, product
from oakum.primitives.rules.matrix_batching import Result, Sizes, matrix_primitive, square
from oakum.primitives.rules.numpy_evaluation import in_compute_dtype
from oakum.tracing.trace import aval_of
from oakum.typing import ArrayLike
from oakum.values import host


def _geqrf_results(dtype: object, shape: Sizes) -> list[Result]:
    return [(shape, None), ((min(shape),), None)]


def _evaluate_geqrf(np: ModuleType, a: host.Array) -> list[Any]:
    packed, taus, _ = reflections.triangular(np, in_compute_dtype(a))
    return [packed.astype(a.dtype, copy=False), taus.astype(a.dtype, copy=False)]


geqrf_p = matrix_primitive("geqrf", (2,), _geqrf_results, _evaluate_geqrf, lower=Kernel("geqrf"))
"""The triangular factor, with the reflections below it, and the factors of the reflections."""


def _product_result(dtype: object, a: Sizes, taus: Sizes) -> list[Result]:
    if a[0] < a[1]:
        raise ShapeError(
            "The first argument to householder_product must have at least as many rows as columns, "
            f"got shape {a}",
            hint="Give reflections of columns.",
        )
    if taus[0] > min(a):
        raise ShapeError(
            "The second argument to householder_product must not have more rows than the minimum "
            "of the first argument's rows and columns.",
            hint="Give one factor for each reflection.",
        )
    return [(a, None)]


def _evaluate_product(np: ModuleType, a: host.Array, taus: host.Array) -> Any:
    return reflections.product(np, in_compute_dtype(a), in_compute_dtype(taus)).astype(
        a.dtype, copy=False
    )


householder_product_p = matrix_primitive(
    "householder_product", (2, 1), _product_result, _evaluate_product, one_result=True
)


def _multiplied(
    dtype: object, a: Sizes, taus: Sizes, c: Sizes, *, left: bool, transpose: bool
) -> list[Result]:
    side, axis = ("rows", 0) if left else ("columns", 1)
    if c[axis] != a[0]:
        raise ShapeError(
            f"ormqr with left={left} expects c to have the same number of {side} as the "
            f"Householder matrix a has rows. Got a shape {a} and c shape {c}.",
            hint="Transpose the matrix, or multiply from the other side.",
        )
    return [(c, None)]


def _evaluate_multiply(
    np: ModuleType, a: host.Array, taus: host.Array, c: host.Array, **params: object
) -> Any:
    wide = [in_compute_dtype(x) for x in (a, taus, c)]
    return reflections.multiply(np, *wide, **params).astype(c.dtype, copy=False)


ormqr_p = matrix_primitive("ormqr", (2, 1, 2), _multiplied, _evaluate_multiply, one_result=True)


def _qr_results(
    dtype: object, shape: Sizes, *, pivoting: bool, full_matrices: bool, **rest: object
) -> list[Result]:
    m, n = shape
    k = m if full_matrices else min(m, n)
    factors: list[Result] = [((m, k), None), ((k, n), None)]
    return [*factors, ((n,), dtypes.int32)] if pivoting else factors


def _evaluate_qr(
    np: ModuleType, a: host.Array, *, pivoting: bool, full_matrices: bool, use_magma: object = None
) -> list[Any]:
    m, n = a.shape[-2:]
    k = m if full_matrices else min(m, n)
    if not pivoting and a.size:
        mode = "complete" if full_matrices else "reduced"
        return [x.astype(a.dtype, copy=False) for x in np.linalg.qr(in_compute_dtype(a), mode)]
    packed, taus, order = reflections.triangular(np, in_compute_dtype(a), pivoting=pivoting)
    start = np.zeros((*a.shape[:-2], m, k), packed.dtype)
    start[..., : min(k, n)] = packed[..., : min(k, n)]
    q = reflections.product(np, start, taus)
    r = np.triu(packed[..., :k, :])
    results = [q.astype(a.dtype, copy=False), r.astype(a.dtype, copy=False)]
    return [*results, order] if pivoting else results


def _jvp_qr(primals: Sequence[Any], tangents: Sequence[Any], **params: object) -> tuple[Any, Any]:
    results = qr_p.bind(primals[0], **params)
    q, r, *order = results
    x, change = primals[0], tangents[0]
    m, n = shape_of(x)[-2:]
    if order:
        x, change = (matrices.columns_taken(each, order[0]) for each in (x, change))
    if m < n:
        changes = _derive_wide(q, r, x, change, m)
    elif params["full_matrices"] and m > n:
        changes = _derive_full(q, r, change, n)
    else:
        changes = _derive_thin(q, r, change)
    return results, [*changes, *map(zero_of, order)]


def _derive_thin(q: ArrayLike, r: ArrayLike, change: ArrayLike) -> tuple[Any, Any]:
    """Returns the derivative for at least as many rows as columns.

    With W = Q* A' R^-1, the antihermitian matrix Q* Q' has the lower triangle of W, and R' R^-1 is
    the rest; of the diagonal the imaginary part belongs to Q.
    """
    scaled = lax.linalg.triangular_solve(r, change)
    inner = product(adjoint(q), scaled)
    strict = matrices.lower(inner, -1)
    turn = lax.sub(strict, adjoint(strict))
    real = lax.convert_element_type(matrices.real(inner), aval_of(inner).dtype)
    imaginary = lax.mul(lax.sub(inner, real), matrices.identity(inner, shape_of(inner)[-1]))
    turn = lax.add(turn, imaginary)
    rest = lax.sub(inner, turn)
    return lax.sub(scaled, product(q, rest)), product(rest, r)


def _derive_wide(
    q: ArrayLike, r: ArrayLike, x: ArrayLike, change: ArrayLike, m: int
) -> tuple[Any, Any]:
    """Differentiates a wide matrix: the square left part alone determines Q; of the rest
    R is Q* A.
    """
    left, right = slice(m), slice(m, None)
    every = slice(None)
    turned, first = _derive_thin(q, part(r, every, left), part(change, every, left))
    second = lax.add(
        product(adjoint(turned), part(x, every, right)),
        product(adjoint(q), part(change, every, right)),
    )
    return turned, beside(first, second)


def _derive_full(q: ArrayLike, r: ArrayLike, change: ArrayLike, n: int) -> tuple[Any, Any]:
    """Returns the further columns of Q, as the reflections choose them, turn with the first ones.

    Walter et al., "QR decomposition for tall matrices: derivatives of the full form" (2024).
    """
    every, first, rest = slice(None), slice(n), slice(n, None)
    thin, further = part(q, every, first), part(q, every, rest)
    turned, triangle = _derive_thin(thin, part(r, first, every), change)
    top, bottom = part(thin, first, every), part(thin, rest, every)
    shifted = lax.sub(top, matrices.identity(top, n))
    ratio = adjoint(matrices.solve(adjoint(shifted), adjoint(bottom)))
    bent = lax.sub(part(turned, rest, every), product(ratio, part(turned, first, every)))
    whole = lax.add(thin, product(further, ratio))
    more = lax.sub(product(turned, adjoint(ratio)), product(whole, adjoint(bent)))
    zeros = lax.full_like(part(r, rest, every), 0)
    return beside(turned, more), below(triangle, zeros)


qr_p = matrix_primitive("qr", (2,), _qr_results, _evaluate_qr, jvp=_jvp_qr, lower=Kernel("qr"))


def _hessenberg_results(dtype: object, shape: Sizes) -> list[Result]:
    if shape[0] != shape[1]:
        raise ShapeError(
            f"Argument to Hessenberg reduction must have shape [..., n, n], got shape {shape}",
            hint="Give a square matrix.",
        )
    return [(shape, None), ((shape[1] - 1,), None)]


def _evaluate_hessenberg(np: ModuleType, a: host.Array) -> list[Any]:
    return [x.astype(a.dtype, copy=False) for x in reflections.hessenberg(np, in_compute_dtype(a))]


hessenberg_p = matrix_primitive("hessenberg", (2,), _hessenberg_results, _evaluate_hessenberg)


def _tridiagonal_results(dtype: DType, shape: Sizes, *, lower: bool) -> list[Result]:
    n = square("The input to tridiagonal must be a square matrix.", shape)
    if not n:
        raise ShapeError(
            f"The input to tridiagonal must be a square matrix. Got shape {shape}.",
            hint="Give a matrix that is not empty.",
        )
    real = dtypes.to_real(dtype)
    return [(shape, None), ((n,), real), ((n - 1,), real), ((n - 1,), None)]


def _evaluate_tridiagonal(np: ModuleType, a: host.Array, *, lower: bool) -> list[Any]:
    arr, d, e, taus = reflections.tridiagonal(np, in_compute_dtype(a), lower=lower)
    real = a.real.dtype if a.dtype.kind == "c" else a.dtype
    pairs = ((arr, a.dtype), (d, real), (e, real), (taus, a.dtype))
    return [x.astype(dtype, copy=False) for x, dtype in pairs]


tridiagonal_p = matrix_primitive("tridiagonal", (2,), _tridiagonal_results, _evaluate_tridiagonal)
