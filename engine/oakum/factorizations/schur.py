"""The Schur form: a unitary similarity to a triangular matrix, by shifted QR steps.

A real matrix keeps real blocks of two rows for pairs of complex eigenvalues. The steps, shifts and
deflations are those of LAPACK's `lahqr`, for one matrix at a time.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from oakum.factorizations.real_schur import reduce_real
from oakum.factorizations.reflections import hessenberg, product

_EXCEPTIONAL = 10
_MOST = 300


def schur(np: Any, a: Any) -> tuple[Any, Any]:
    """The Schur forms of matrices, and the vectors; NaN where the steps do not converge."""
    n = a.shape[-1]
    forms, vectors = np.array(a), np.array(a)
    for index in np.ndindex(*a.shape[:-2]):
        if not np.isfinite(a[index]).all():
            forms[index] = vectors[index] = np.nan
            continue
        h, z = _hessenberg(np, forms[index], n)
        reduce_ = _reduce_complex if a.dtype.kind == "c" else reduce_real
        if not reduce_(np, h, z):
            h[:] = z[:] = np.nan
        forms[index], vectors[index] = h, z
    return forms, vectors


def _hessenberg(np: Any, a: Any, n: int) -> tuple[Any, Any]:
    packed, taus = hessenberg(np, a)
    z = np.eye(n, dtype=a.dtype)
    if n > 1:
        z[1:, 1:] = product(np, packed[1:, :-1], taus)
    return np.triu(packed, -1), z


def size_of(x: complex) -> float:
    """The sum of the sizes of the real and the imaginary part."""
    return abs(x.real) + abs(x.imag)


class _Window(NamedTuple):
    """The rows from `low` to `high` of which the eigenvalues are not separated yet."""

    low: int
    high: int


def _reduce_complex(np: Any, h: Any, z: Any) -> bool:
    """Makes a Hessenberg matrix triangular in place; False where it does not converge."""
    n = h.shape[0]
    for i in range(1, n):
        _make_real(np, h, z, i)
    high = n - 1
    steps = 0
    while high >= 0:
        low = _deflate(np, h, high)
        if low >= high:
            high, steps = high - 1, 0
            continue
        steps += 1
        if steps > _MOST:
            return False
        window = _Window(low, high)
        shift = _shift(h, window, steps)
        _sweep(np, h, z, window, shift)
        _make_real(np, h, z, high)
    return True


def _make_real(np: Any, h: Any, z: Any, i: int) -> None:
    """Scales a row and a column so that the element below the diagonal is real."""
    below = complex(h[i, i - 1])
    if below.imag == 0:
        return
    size = abs(below)
    turn = below / size
    h[i, i - 1] = size
    h[i, i:] *= turn.conjugate()
    h[: min(i + 2, h.shape[0]), i] *= turn
    z[:, i] *= turn


def _deflate(np: Any, h: Any, high: int) -> int:
    """The first row of the last block that is not separated; clears what is negligible."""
    for k in range(high, 0, -1):
        if is_negligible(np, h, k):
            h[k, k - 1] = 0
            return k
    return 0


def is_negligible(np: Any, h: Any, k: int) -> bool:
    """Whether the element below the diagonal is so small that the matrix falls apart there."""
    n = h.shape[0]
    info = np.finfo(h.dtype)
    ulp, small = float(info.eps), float(info.tiny) * (n / float(info.eps))
    below = size_of(complex(h[k, k - 1]))
    if below <= small:
        return True
    here, there = complex(h[k, k]), complex(h[k - 1, k - 1])
    scale = size_of(there) + size_of(here)
    if scale == 0:
        scale += size_of(complex(h[k - 1, k - 2])) if k >= 2 else 0.0
        scale += size_of(complex(h[k + 1, k])) if k + 1 < n else 0.0
    if below > ulp * scale:
        return False
    above = size_of(complex(h[k - 1, k]))
    larger, smaller = max(below, above), min(below, above)
    apart = size_of(there - here)
    most, least = max(size_of(here), apart), min(size_of(here), apart)
    total = most + larger
    return smaller * (larger / total) <= max(small, ulp * (least * (most / total)))


def _shift(h: Any, window: _Window, steps: int) -> complex:
    """The eigenvalue of the last two rows that is nearer to the last element."""
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


def _start(h: Any, window: _Window, shift: complex, ulp: float) -> tuple[int, list[complex]]:
    """Where two small elements in a row let a sweep begin, and its first vector."""
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


def _sweep(np: Any, h: Any, z: Any, window: _Window, shift: complex) -> None:
    """One QR step with a shift, as reflections of two rows each."""
    low, high = window
    start, v = _start(h, window, shift, float(np.finfo(h.dtype).eps))
    for k in range(start, high):
        if k > start:
            v = [complex(h[k, k - 1]), complex(h[k + 1, k - 1])]
        beta, second, tau = _reflector(v[0], v[1])
        if k > start:
            h[k, k - 1], h[k + 1, k - 1] = beta, 0
        weight = np.array([1, second], h.dtype)
        rows = h[k : k + 2, k:]
        rows -= np.outer(weight * tau.conjugate(), weight.conj() @ rows)
        for matrix in (h[: min(k + 2, high) + 1, k : k + 2], z[:, k : k + 2]):
            matrix -= np.outer(matrix @ weight, weight.conj() * tau)
        if k == start > low:
            _restore_real(h, z, window, start, 1 - tau)


def _restore_real(h: Any, z: Any, window: _Window, start: int, factor: complex) -> None:
    """Makes the element before the first reflection real again, by scaling what follows."""
    turn = factor / abs(factor)
    h[start + 1, start] *= turn.conjugate()
    if start + 2 <= window.high:
        h[start + 2, start + 1] *= turn
    for j in range(start, window.high + 1):
        if j != start + 1:
            h[j, j + 1 :] *= turn
            h[:j, j] *= turn.conjugate()
            z[:, j] *= turn.conjugate()
