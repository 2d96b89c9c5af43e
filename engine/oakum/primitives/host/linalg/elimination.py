"""Gaussian elimination, and the solution of triangular and tridiagonal systems."""

from __future__ import annotations

import math
from types import ModuleType
from typing import Any

from oakum.values import host

_BLOCK = 48
"""So many columns are eliminated before the rest of the matrix is updated."""


def lu(np: ModuleType, a: host.Array) -> tuple[Any, Any, Any]:
    """Factors, pivots and the permutation of rows, with partial pivoting.

    The largest element of each column is its pivot; that of complex numbers is measured by the sum
    of the sizes of both parts.
    """
    batch, (m, n) = a.shape[:-2], a.shape[-2:]
    work = np.array(a.reshape((math.prod(batch), m, n)))
    count = min(m, n)
    pivots = np.zeros((work.shape[0], count), np.int32)
    order = np.tile(np.arange(m, dtype=np.int32), (work.shape[0], 1))
    for start in range(0, count, _BLOCK):
        stop = min(start + _BLOCK, count)
        for k in range(start, stop):
            _pivot(np, work, order, pivots, k)
            _eliminate(np, work, k, stop)
        if stop < n:
            top = work[:, start:stop, start:stop]
            right = solve_lower(np, top, work[:, start:stop, stop:], unit=True)
            work[:, start:stop, stop:] = right
            work[:, stop:, stop:] -= work[:, stop:, start:stop] @ right
    return work.reshape(a.shape), pivots.reshape((*batch, count)), order.reshape((*batch, m))


def _size(np: ModuleType, x: host.Array) -> Any:
    return np.abs(x.real) + np.abs(x.imag) if x.dtype.kind == "c" else np.abs(x)


def _pivot(np: ModuleType, work: host.Array, order: host.Array, pivots: host.Array, k: int) -> None:
    """Finds the pivot of a column, and swaps its row with the row of the diagonal."""
    sizes = _size(np, work[:, k:, k])
    # NaNs are passed over unless the element of the diagonal is one, as LAPACK's search does.
    sizes = np.where(np.isnan(sizes), -1.0, sizes)
    chosen = k + np.argmax(sizes, axis=1)
    pivots[:, k] = chosen
    which = np.arange(work.shape[0])
    for array in (work, order):
        rows = array[which, chosen].copy()
        array[which, chosen] = array[:, k]
        array[:, k] = rows


def _eliminate(np: ModuleType, work: host.Array, k: int, stop: int) -> None:
    """Subtracts multiples of a row from those below it, in the columns of a block."""
    pivot = work[:, k, k]
    divisor = np.where(pivot == 0, 1, pivot)[:, None]
    work[:, k + 1 :, k] /= divisor
    work[:, k + 1 :, k + 1 : stop] -= work[:, k + 1 :, k, None] * work[:, k, None, k + 1 : stop]


def permutation(np: ModuleType, pivots: host.Array, size: int) -> Any:
    """Returns the order of rows that swapping each row with its pivot returns."""
    batch, count = pivots.shape[:-1], pivots.shape[-1]
    flat = pivots.reshape((math.prod(batch), count))
    order = np.tile(np.arange(size, dtype=np.int32), (flat.shape[0], 1))
    which = np.arange(flat.shape[0])
    for k in range(count):
        chosen = flat[:, k]
        held = order[which, chosen].copy()
        order[which, chosen] = order[:, k]
        order[:, k] = held
    return order.reshape((*batch, size))


def solve_lower(np: ModuleType, a: host.Array, b: host.Array, *, unit: bool = False) -> Any:
    """Solves systems with lower triangular matrices, from the first row to the last."""
    x = np.array(b)
    size = a.shape[-1]
    for start in range(0, size, _BLOCK):
        stop = min(start + _BLOCK, size)
        if start:
            x[..., start:stop, :] -= a[..., start:stop, :start] @ x[..., :start, :]
        for k in range(start, stop):
            if k > start:
                known = a[..., k, None, start:k] @ x[..., start:k, :]
                x[..., k, :] -= known[..., 0, :]
            if not unit:
                x[..., k, :] /= a[..., k, k, None]
    return x


def solve_triangular(
    np: ModuleType,
    a: host.Array,
    b: host.Array,
    *,
    left_side: bool,
    lower: bool,
    transpose_a: bool,
    conjugate_a: bool,
    unit_diagonal: bool,
) -> Any:
    """Solves systems with triangular matrices; each of the forms becomes one with lower ones."""
    if conjugate_a:
        a = a.conj()
    if transpose_a:
        a, lower = np.swapaxes(a, -1, -2), not lower
    if not left_side:
        a, lower = np.swapaxes(a, -1, -2), not lower
        b = np.swapaxes(b, -1, -2)
    if lower:
        x = solve_lower(np, a, b, unit=unit_diagonal)
    else:
        reversed_a, reversed_b = a[..., ::-1, ::-1], b[..., ::-1, :]
        x = solve_lower(np, reversed_a, reversed_b, unit=unit_diagonal)[..., ::-1, :]
    return x if left_side else np.swapaxes(x, -1, -2)


def solve_tridiagonal(
    np: ModuleType, dl: object, d: host.Array, du: object, b: host.Array, *, perturb: bool
) -> Any:
    """Solves tridiagonal systems by elimination, in which a row may be swapped with the next."""
    size = d.shape[-1]
    low, main, high, right = (np.array(x) for x in (dl, d, du, b))
    higher = np.zeros_like(high)
    for k in range(size - 1):
        below = low[..., k + 1].copy()
        swap = _size(np, main[..., k]) < _size(np, below)
        rows = (
            (main[..., k], high[..., k], np.zeros_like(below)),
            (below, main[..., k + 1], high[..., k + 1]),
        )
        if k == size - 2:
            rows = (rows[0], (*rows[1][:2], np.zeros_like(below)))
        upper = [np.where(swap, y, x) for x, y in zip(*rows, strict=True)]
        lower = [np.where(swap, x, y) for x, y in zip(*rows, strict=True)]
        first = np.where(swap[..., None], right[..., k + 1, :], right[..., k, :])
        second = np.where(swap[..., None], right[..., k, :], right[..., k + 1, :])
        pivot = np.where(upper[0] == 0, 1, upper[0]) if perturb else upper[0]
        factor = lower[0] / pivot
        main[..., k], high[..., k], higher[..., k] = upper
        main[..., k + 1] = lower[1] - factor * upper[1]
        high[..., k + 1] = lower[2] - factor * upper[2]
        right[..., k, :] = first
        right[..., k + 1, :] = second - factor[..., None] * first
    if perturb:
        main = _perturbed(np, main, high, higher)
    for k in range(size - 1, -1, -1):
        if k + 1 < size:
            right[..., k, :] -= high[..., k, None] * right[..., k + 1, :]
        if k + 2 < size:
            right[..., k, :] -= higher[..., k, None] * right[..., k + 2, :]
        right[..., k, :] /= main[..., k, None]
    return right


def _perturbed(np: ModuleType, main: host.Array, high: object, higher: host.Array) -> Any:
    """Returns the pivots, of which those near zero are moved away from it."""
    sizes = [np.abs(x).max(axis=-1, keepdims=True, initial=0) for x in (main, high, higher)]
    least = np.finfo(main.dtype).eps * np.maximum(np.maximum(sizes[0], sizes[1]), sizes[2])
    least = np.where(least == 0, np.finfo(main.dtype).tiny, least)
    return np.where(np.abs(main) < least, np.where(main.real < 0, -least, least), main)
