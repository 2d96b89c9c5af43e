"""The real Schur form: QR steps with two shifts at once, which keep everything real."""

from __future__ import annotations

import math
from types import ModuleType

from oakum.primitives.host.linalg.deflation import first_row
from oakum.values import host

_EXCEPTIONAL = 10
"""So many steps without convergence are followed by a step with another shift, as in LAPACK's
`dlahqr`.
"""

_MOST = 300
"""The most steps for one eigenvalue, as in LAPACK for a matrix of order ten (30 for each row)."""


def reduce_real(np: ModuleType, both: host.Array) -> bool:
    """Brings a Hessenberg matrix into real Schur form in place; False without convergence."""
    n = both.shape[1]
    h, epsilon = both[:n], float(np.finfo(both.dtype).eps)
    high, steps = n - 1, 0
    while high >= 0:
        low = first_row(np, h, high)
        if low >= high - 1:
            if low == high - 1:
                _standardize(both, high, epsilon)
            high, steps = low - 1, 0
            continue
        steps += 1
        if steps > _MOST:
            return False
        _sweep(np, both, low, high, _shifts(h, low, high, steps))
    return True


Shifts = tuple[float, float, float, float]
"""The real and the imaginary part of two shifts."""


def _corner(h: host.Array, low: int, high: int, steps: int) -> tuple[float, float, float, float]:
    """Returns the four elements of which the eigenvalues are the shifts."""
    if steps % (2 * _EXCEPTIONAL) == 0:
        size = abs(h[high, high - 1]) + abs(h[high - 1, high - 2])
        main = 0.75 * size + h[high, high]
        return main, -0.4375 * size, size, main
    if steps % _EXCEPTIONAL == 0:
        size = abs(h[low + 1, low]) + abs(h[low + 2, low + 1])
        main = 0.75 * size + h[low, low]
        return main, -0.4375 * size, size, main
    i, j = high - 1, high
    return float(h[i, i]), float(h[i, j]), float(h[j, i]), float(h[j, j])


def _shifts(h: host.Array, low: int, high: int, steps: int) -> Shifts:
    """Returns a pair of complex shifts, or the better real one twice."""
    a, b, c, d = map(float, _corner(h, low, high, steps))
    scale = abs(a) + abs(b) + abs(c) + abs(d)
    if scale == 0:
        return 0.0, 0.0, 0.0, 0.0
    a, b, c, d = a / scale, b / scale, c / scale, d / scale
    mean = (a + d) / 2
    determinant = (a - mean) * (d - mean) - b * c
    root = math.sqrt(abs(determinant))
    if determinant >= 0:
        return mean * scale, root * scale, mean * scale, -root * scale
    one, other = mean + root, mean - root
    nearer = (one if abs(one - d) <= abs(other - d) else other) * scale
    return nearer, 0.0, nearer, 0.0


def _start(
    h: host.Array, low: int, high: int, shifts: Shifts, ulp: float
) -> tuple[int, list[float]]:
    """Returns the row where two small consecutive elements let a sweep begin, and its vector."""
    re1, im1, re2, im2 = shifts
    v: list[float] = []
    for m in range(high - 2, low - 1, -1):
        here, below, right = float(h[m, m]), float(h[m + 1, m]), float(h[m + 1, m + 1])
        scale = abs(here - re2) + abs(im2) + abs(below)
        part = below / scale
        v = [
            part * float(h[m, m + 1]) + (here - re1) * ((here - re2) / scale) - im1 * (im2 / scale),
            part * (here + right - re1 - re2),
            part * float(h[m + 2, m + 1]),
        ]
        total = sum(map(abs, v))
        v = [x / total for x in v]
        if m == low:
            return m, v
        around = abs(float(h[m - 1, m - 1])) + abs(here) + abs(right)
        if abs(float(h[m, m - 1])) * (abs(v[1]) + abs(v[2])) <= ulp * abs(v[0]) * around:
            return m, v
    return low, v


def _reflector(x: list[float]) -> tuple[float, list[float], float]:
    """beta, v and tau of the reflection that brings a vector onto its first axis."""
    alpha, rest = x[0], math.hypot(*x[1:])
    if rest == 0:
        return alpha, [1.0] + [0.0] * (len(x) - 1), 0.0
    beta = -math.copysign(math.hypot(alpha, rest), alpha)
    return beta, [1.0, *(each / (alpha - beta) for each in x[1:])], (beta - alpha) / beta


def _sweep(np: ModuleType, both: host.Array, low: int, high: int, shifts: Shifts) -> None:
    """Performs one QR step with two shifts, by reflections of three rows each."""
    start, first = _start(both, low, high, shifts, float(np.finfo(both.dtype).eps))
    for k in range(start, high):
        stop = min(k + 3, high + 1)
        x = both[k:stop, k - 1].tolist() if k > start else first[: stop - k]
        beta, v, tau = _reflector(x)
        if k > start:
            both[k, k - 1] = beta
            both[k + 1 : stop, k - 1] = 0
        elif start > low:
            both[k, k - 1] *= 1 - tau
        rows = [[(i == j) - tau * p * q for j, q in enumerate(v)] for i, p in enumerate(v)]
        reflection = np.array(rows, both.dtype)
        both[k:stop, k:] = reflection @ both[k:stop, k:]
        both[:, k:stop] = both[:, k:stop] @ reflection


def _standardize(both: host.Array, high: int, epsilon: float) -> None:
    """Turns the block of two rows into its standard form, and the rest with it."""
    n, i, j = both.shape[1], high - 1, high
    (a, b), (c, d) = both[i : j + 1, i : j + 1].tolist()
    a, b, c, d, cosine, sine = standard_block(a, b, c, d, epsilon)
    both[i, i], both[i, j], both[j, i], both[j, j] = a, b, c, d
    for x, y in (
        (both[i, j + 1 :], both[j, j + 1 :]),
        (both[:i, i], both[:i, j]),
        (both[n:, i], both[n:, j]),
    ):
        turned = cosine * x + sine * y
        y[:] = cosine * y - sine * x
        x[:] = turned


Block = tuple[float, float, float, float, float, float]
"""The four elements of a block, and the cosine and the sine of its rotation."""


def standard_block(a: float, b: float, c: float, d: float, epsilon: float = 2.0**-52) -> Block:
    """Returns the standard form: triangular, or with equal diagonals and opposite signs beside
    them.

    >>> standard_block(1.0, 2.0, 0.0, 3.0)
    (1.0, 2.0, 0.0, 3.0, 1.0, 0.0)
    """
    if c == 0:
        return a, b, c, d, 1.0, 0.0
    if b == 0:
        return d, -c, 0.0, a, 0.0, 1.0
    if a == d and math.copysign(1, b) != math.copysign(1, c):
        return a, b, c, d, 1.0, 0.0
    half = 0.5 * (a - d)
    most = max(abs(b), abs(c))
    least = min(abs(b), abs(c)) * math.copysign(1, b) * math.copysign(1, c)
    scale = max(abs(half), most)
    discriminant = half / scale * half + most / scale * least
    if discriminant >= 4 * epsilon:
        root = half + math.copysign(math.sqrt(scale) * math.sqrt(discriminant), half)
        length = math.hypot(c, root)
        return d + root, b - c, 0.0, d - most / root * least, root / length, c / length
    return _equal_diagonals(a, b, c, d)


def _equal_diagonals(a: float, b: float, c: float, d: float) -> Block:
    """Turns a block with complex or nearly equal eigenvalues until its diagonal is constant."""
    total, apart = b + c, a - d
    length = math.hypot(total, apart)
    cosine = math.sqrt(0.5 * (1 + abs(total) / length))
    sine = -(0.5 * apart / (length * cosine)) * math.copysign(1, total)
    top = a * cosine + b * sine, -a * sine + b * cosine
    low = c * cosine + d * sine, -c * sine + d * cosine
    a, b = top[0] * cosine + low[0] * sine, top[1] * cosine + low[1] * sine
    c, d = -top[0] * sine + low[0] * cosine, -top[1] * sine + low[1] * cosine
    mean = 0.5 * (a + d)
    if c == 0:
        return mean, b, c, mean, cosine, sine
    if b == 0:
        return mean, -c, 0.0, mean, -sine, cosine
    if math.copysign(1, b) != math.copysign(1, c):
        return mean, b, c, mean, cosine, sine
    high, small = math.sqrt(abs(b)), math.sqrt(abs(c))
    move = math.copysign(high * small, c)
    scale = 1 / math.sqrt(abs(b + c))
    more, turn = high * scale, small * scale
    return (
        mean + move,
        b - c,
        0.0,
        mean - move,
        cosine * more - sine * turn,
        cosine * turn + sine * more,
    )
