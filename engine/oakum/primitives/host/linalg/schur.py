"""The Schur form: a unitary similarity to a triangular matrix, by shifted QR steps.

A real matrix keeps real blocks of two rows for pairs of complex eigenvalues. The steps, shifts and
deflations are those of LAPACK's `lahqr`, for one matrix at a time.

Invariants:
- The form and the vectors stand in one array, the vectors below the form: what turns columns of the
  one turns columns of the other. Below the rows in work the columns of the form are zero.
"""

from __future__ import annotations

import math
from types import ModuleType
from typing import Any, NamedTuple

from oakum.primitives.host.linalg.deflation import first_row, size_of
from oakum.primitives.host.linalg.real_schur import reduce_real
from oakum.primitives.host.linalg.reflections import hessenberg, product
from oakum.values import host

_EXCEPTIONAL = 10
"""So many steps without convergence are followed by a step with another shift, as in LAPACK's
`zlahqr`.
"""

_MOST = 300
"""The most steps for one eigenvalue, as in LAPACK for a matrix of order ten (30 for each row)."""


def schur(np: ModuleType, a: host.Array) -> tuple[Any, Any]:
    """Returns the Schur forms of matrices, and the vectors; NaN where the steps do not converge."""
    n = a.shape[-1]
    forms, vectors = np.array(a), np.array(a)
    reduce_ = _reduce_complex if a.dtype.kind == "c" else reduce_real
    for index in np.ndindex(*a.shape[:-2]):
        both = np.full((2 * n, n), np.nan, a.dtype)
        if np.isfinite(a[index]).all():
            _start_form(np, both, a[index], n)
            if not reduce_(np, both):
                both[:] = np.nan
        forms[index], vectors[index] = both[:n], both[n:]
    return forms, vectors


def _start_form(np: ModuleType, both: host.Array, a: host.Array, n: int) -> None:
    packed, taus = hessenberg(np, a)
    both[:n] = np.triu(packed, -1)
    both[n:] = np.eye(n, dtype=a.dtype)
    if n > 1:
        both[n + 1 :, 1:] = product(np, packed[1:, :-1], taus)


class _Window(NamedTuple):
    """The rows from `low` to `high` of which the eigenvalues are not separated yet."""

    low: int
    high: int


def _reduce_complex(np: ModuleType, both: host.Array) -> bool:
    """Makes a Hessenberg matrix triangular in place; False where it does not converge."""
    n = both.shape[1]
    h = both[:n]
    for i in range(1, n):
        _make_real(both, i)
    high, steps = n - 1, 0
    while high >= 0:
        low = first_row(np, h, high)
        if low >= high:
            high, steps = high - 1, 0
            continue
        steps += 1
        if steps > _MOST:
            return False
        window = _Window(low, high)
        _sweep(np, both, window, _shift(h, window, steps))
        _make_real(both, high)
    return True


def _make_real(both: host.Array, i: int) -> None:
    """Scales a row and a column so that the element below the diagonal is real."""
    n = both.shape[1]
    below = complex(both[i, i - 1])
    if below.imag == 0:
        return
    size = abs(below)
    turn = below / size
    both[i, i - 1] = size
    both[i, i:] *= turn.conjugate()
    both[: min(i + 2, n), i] *= turn
    both[n:, i] *= turn


def _shift(h: host.Array, window: _Window, steps: int) -> complex:
    """Returns the eigenvalue of the last two rows that is nearer to the last element."""
    low, high = window
    if steps % (2 * _EXCEPTIONAL) == 0:
        return 0.75 * abs(h[high, high - 1].real) + complex(h[high, high])
    if steps % _EXCEPTIONAL == 0:
        return 0.75 * abs(h[low + 1, low].real) + complex(h[low, low])
    last = complex(h[high, high])
    mixed = complex(h[high - 1, high]) ** 0.5 * complex(h[high, high - 1]) ** 0.5
    scale = size_of(mixed)
    if scale == 0:
        return last
    half = 0.5 * (complex(h[high - 1, high - 1]) - last)
    extent = size_of(half)
    scale = max(scale, extent)
    root = scale * ((half / scale) ** 2 + (mixed / scale) ** 2) ** 0.5
    if extent > 0:
        unit = half / extent
        if unit.real * root.real + unit.imag * root.imag < 0:
            root = -root
    return last - mixed * (mixed / (half + root))


def _start(h: host.Array, window: _Window, shift: complex, ulp: float) -> tuple[int, list[complex]]:
    """Returns the row where two small consecutive elements let a sweep begin, and its vector."""
    low, high = window
    first: list[complex] = []
    for m in range(high - 1, low - 1, -1):
        here, below = complex(h[m, m]), float(h[m + 1, m].real)
        shifted = here - shift
        scale = size_of(shifted) + abs(below)
        first = [shifted / scale, below / scale]
        if m == low:
            return m, first
        before = abs(float(h[m, m - 1].real))
        around = size_of(here) + size_of(complex(h[m + 1, m + 1]))
        if before * abs(first[1]) <= ulp * size_of(first[0]) * around:
            return m, first
    return low, first


def _reflector(alpha: complex, x: complex) -> tuple[float, complex, complex]:
    """beta, the second element of v, and tau of a reflection of two elements."""
    if x == 0 and alpha.imag == 0:
        return alpha.real, 0j, 0j
    beta = -math.copysign(math.hypot(abs(alpha), abs(x)), alpha.real)
    return beta, x / (alpha - beta), (beta - alpha) / beta


def _sweep(np: ModuleType, both: host.Array, window: _Window, shift: complex) -> None:
    """Performs one QR step with a shift, by reflections of two rows each."""
    low, high = window
    start, v = _start(both, window, shift, float(np.finfo(both.dtype).eps))
    for k in range(start, high):
        if k > start:
            v = [complex(both[k, k - 1]), complex(both[k + 1, k - 1])]
        beta, x, tau = _reflector(v[0], v[1])
        if k > start:
            both[k, k - 1], both[k + 1, k - 1] = beta, 0
        y = x.conjugate()
        reflection = np.array([[1 - tau, -tau * y], [-tau * x, 1 - tau * x * y]], both.dtype)
        both[k : k + 2, k:] = reflection.conj().T @ both[k : k + 2, k:]
        both[:, k : k + 2] = both[:, k : k + 2] @ reflection
        if k == start > low:
            _restore_real(both, window, start, 1 - tau)


def _restore_real(both: host.Array, window: _Window, start: int, factor: complex) -> None:
    """Makes the element before the first reflection real again, by scaling what follows."""
    n = both.shape[1]
    turn = factor / abs(factor)
    both[start + 1, start] *= turn.conjugate()
    if start + 2 <= window.high:
        both[start + 2, start + 1] *= turn
    for j in range(start, window.high + 1):
        if j != start + 1:
            both[j, j + 1 :] *= turn
            both[:j, j] *= turn.conjugate()
            both[n:, j] *= turn.conjugate()
