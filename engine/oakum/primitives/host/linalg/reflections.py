"""Reflections that put zeros below elements: products of them, and forms reached by them.

A reflection is I - tau v v*, in which v begins with 1; its other elements are stored in the zeros
that it makes.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

from oakum.values import host


def reflector(np: ModuleType, x: host.Array) -> tuple[Any, Any, Any]:
    """Returns the reflections that bring vectors onto their first axis: beta, v and tau for each.

    beta is real and has the sign against the first element; tau is zero for a vector that lies
    there already.
    """
    alpha = x[..., 0]
    rest = np.sqrt((np.abs(x[..., 1:]) ** 2).sum(-1))
    norm = np.hypot(np.abs(alpha), rest)
    trivial = (rest == 0) & (alpha.imag == 0)
    beta = np.where(trivial, alpha.real, -np.copysign(norm, alpha.real)).astype(rest.dtype)
    safe = np.where(trivial, 1, beta)
    tau = np.where(trivial, 0, (safe - alpha) / safe).astype(x.dtype)
    scale = np.where(trivial, 1, alpha - safe)
    v = np.array(x)
    v[..., 1:] = np.where(trivial[..., None], 0, x[..., 1:] / scale[..., None])
    v[..., 0] = 1
    return beta, v, tau


def reflect_rows(a: host.Array, v: host.Array, tau: host.Array) -> Any:
    """H a, for the reflection H of v and tau."""
    along = v.conj()[..., None, :] @ a
    return a - (tau[..., None] * v)[..., None] * along


def reflect_columns(a: host.Array, v: host.Array, tau: host.Array) -> Any:
    """a H, for the reflection H of v and tau."""
    along = a @ v[..., None]
    return a - along * (tau[..., None] * v.conj())[..., None, :]


def _vector(np: ModuleType, a: host.Array, k: int) -> Any:
    """Returns the vector of a reflection, from below the diagonal of a column."""
    v = np.array(a[..., k:, k])
    v[..., 0] = 1
    return v


def product(np: ModuleType, a: host.Array, taus: host.Array) -> Any:
    """Returns the first columns of the product of reflections."""
    m, n = a.shape[-2:]
    result = np.array(np.broadcast_to(np.eye(m, n, dtype=a.dtype), a.shape))
    for k in range(taus.shape[-1] - 1, -1, -1):
        v = _vector(np, a, k)
        result[..., k:, k:] = reflect_rows(result[..., k:, k:], v, taus[..., k])
    return result


def multiply(
    np: ModuleType, a: host.Array, taus: host.Array, c: host.Array, *, left: bool, transpose: bool
) -> Any:
    """Returns a matrix multiplied by the product of reflections, or by its adjoint."""
    result = np.array(c)
    factors = taus.conj() if transpose else taus
    count = taus.shape[-1]
    steps = range(count - 1, -1, -1) if left != transpose else range(count)
    for k in steps:
        v, tau = _vector(np, a, k), factors[..., k]
        if left:
            result[..., k:, :] = reflect_rows(result[..., k:, :], v, tau)
        else:
            result[..., :, k:] = reflect_columns(result[..., :, k:], v, tau)
    return result


def triangular(np: ModuleType, a: host.Array, *, pivoting: bool = False) -> tuple[Any, Any, Any]:
    """Returns the triangular form with its reflections, their factors, and the order of columns.

    With pivoting the column with the largest rest comes first.
    """
    m, n = a.shape[-2:]
    work = np.array(a)
    count = min(m, n)
    taus = np.zeros((*a.shape[:-2], count), a.dtype)
    order = np.array(np.broadcast_to(np.arange(n, dtype=np.int32), (*a.shape[:-2], n)))
    for k in range(count):
        if pivoting:
            _bring_largest(np, work, order, k)
        beta, v, tau = reflector(np, work[..., k:, k])
        work[..., k:, k + 1 :] = reflect_rows(work[..., k:, k + 1 :], v, tau.conj())
        work[..., k, k] = beta
        work[..., k + 1 :, k] = v[..., 1:]
        taus[..., k] = tau
    return work, taus, order


def _bring_largest(np: ModuleType, work: host.Array, order: host.Array, k: int) -> None:
    sizes = (np.abs(work[..., k:, k:]) ** 2).sum(-2)
    chosen = k + np.argmax(sizes, axis=-1)[..., None]
    columns = np.take_along_axis(work, chosen[..., None], -1)
    np.put_along_axis(work, chosen[..., None], work[..., k, None].copy(), -1)
    work[..., k] = columns[..., 0]
    held = np.take_along_axis(order, chosen, -1)
    np.put_along_axis(order, chosen, order[..., k, None].copy(), -1)
    order[..., k] = held[..., 0]


def hessenberg(np: ModuleType, a: host.Array) -> tuple[Any, Any]:
    """Returns the Hessenberg form with its reflections below it, and their factors."""
    n = a.shape[-1]
    work = np.array(a)
    taus = np.zeros((*a.shape[:-2], max(n - 1, 0)), a.dtype)
    for k in range(n - 1):
        beta, v, tau = reflector(np, work[..., k + 1 :, k])
        work[..., :, k + 1 :] = reflect_columns(work[..., :, k + 1 :], v, tau)
        work[..., k + 1 :, k + 1 :] = reflect_rows(work[..., k + 1 :, k + 1 :], v, tau.conj())
        work[..., k + 1, k] = beta
        work[..., k + 2 :, k] = v[..., 1:]
        taus[..., k] = tau
    return work, taus


def tridiagonal(np: ModuleType, a: host.Array, *, lower: bool) -> tuple[Any, Any, Any, Any]:
    """Returns the tridiagonal form with its reflections, its diagonals, and the factors.

    Only one triangle of each matrix is read. The lower form goes through the columns from the
    first, the upper one from the last.
    """
    n = a.shape[-1]
    work, result = _hermitian(np, a, lower), np.array(a)
    taus = np.zeros((*a.shape[:-2], n - 1), a.dtype)
    off = np.zeros((*a.shape[:-2], n - 1), work.real.dtype)
    for k in range(n - 1) if lower else range(n - 2, -1, -1):
        span, step = (slice(k + 1, None), 1) if lower else (slice(None, k + 1), -1)
        column = k if lower else k + 1
        beta, v, tau = reflector(np, work[..., span, column][..., ::step])
        inner = reflect_rows(work[..., span, span], v[..., ::step], tau.conj())
        work[..., span, span] = reflect_columns(inner, v[..., ::step], tau)
        result[..., span, column] = np.concatenate([beta[..., None], v[..., 1:]], -1)[..., ::step]
        off[..., k], taus[..., k] = beta, tau
    main = np.diagonal(work, axis1=-2, axis2=-1).real.copy()
    for k in range(n):
        result[..., k, k] = main[..., k]
    return result, main, off, taus


def _hermitian(np: ModuleType, a: host.Array, lower: bool) -> Any:
    triangle = np.tril(a, -1) if lower else np.triu(a, 1)
    result = triangle + np.swapaxes(triangle, -1, -2).conj()
    for k in range(a.shape[-1]):
        result[..., k, k] = a[..., k, k].real
    return result
