"""Integrals of exponentials, sines and logarithms."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any, Final

from oakum.primitives.host.special import gamma
from oakum.primitives.host.special.pieces import TINY, Functions, iterate, piecewise
from oakum.values import host

_EULER: Final = 0.57721566490153286061

_HUGE: Final = 1e17
"""From here on the integrals are pi / 2 and sin(x) / x to the last bit; squares of larger arguments
are infinite in the end.
"""


def expn(xp: Functions, n: host.Array, x: host.Array) -> Any:
    """Returns the exponential integral of integer order `n`."""
    pieces: list[tuple[Any, Callable[[Any, Any], Any]]] = [
        ((n < 0) | (x < 0) | xp.isnan(n), lambda n, x: xp.full_like(x, xp.nan)),
        ((n == xp.inf) & (x >= 0), lambda n, x: xp.zeros_like(x)),
        ((x == 0) & (n < 2), lambda n, x: xp.full_like(x, xp.inf)),
        (x == 0, lambda n, x: 1 / (n - 1)),
        (x == xp.inf, lambda n, x: xp.zeros_like(x)),
        (n == 0, lambda n, x: xp.exp(-x) / x),
        (x > 1, functools.partial(_expn_fraction, xp)),
        (x > 0, functools.partial(_expn_series, xp)),
    ]
    return piecewise(xp, (n, x), pieces)


def _expn_fraction(xp: Functions, n: host.Array, x: host.Array) -> Any:
    """Computes it by 1 / (b + a1 / (b + 2 + a2 / (b + 4 + ...))) with Lentz's method, as in
    Numerical Recipes, section 6.3.
    """

    def step(count: int | host.Array, state: list[Any]) -> tuple[list[Any], Any]:
        order, b, c, d, h = state
        a, b = -count * (order - 1.0 + count), b + 2.0
        d = 1.0 / (a * d + b)
        c = b + a / c
        factor = c * d
        return [order, b, c, d, h * factor], ~(xp.abs(factor - 1.0) >= 1e-15)

    b = x + n
    return iterate(xp, [n, b, xp.full_like(b, 1e300), 1 / b, 1 / b], step)[-1] * xp.exp(-x)


def _expn_series(xp: Functions, n: host.Array, x: host.Array) -> Any:
    logarithm = gamma.digamma(xp, n) - xp.log(x)
    first = xp.where(n == 1.0, logarithm, 1.0 / xp.where(n == 1.0, 1.0, n - 1.0))

    def step(count: int | host.Array, state: list[Any]) -> tuple[list[Any], Any]:
        order, y, end, power, total = state
        power = power * (-y / count)
        is_end = order - 1.0 == count
        term = xp.where(is_end, power * end, -power / xp.where(is_end, 1.0, count - order + 1.0))
        total = total + term
        # The term with the logarithm may be larger than those before it; an order beyond the terms
        # of the sum has none that would be seen.
        passed = (count >= order) | (xp.abs(power * end) <= TINY * xp.abs(total))
        return [order, y, end, power, total], passed & ~(xp.abs(power) > TINY * xp.abs(total))

    return iterate(xp, [n, x, logarithm, xp.ones_like(x), first], step)[-1]


def expi(xp: Functions, x: host.Array) -> Any:
    """Returns the exponential integral `Ei`."""
    pieces: list[tuple[Any, Callable[[Any], Any]]] = [
        (x < 0, lambda x: -expn(xp, xp.ones_like(x), -x)),
        (x == 0, lambda x: xp.full_like(x, -xp.inf)),
        (x == xp.inf, lambda x: x),
        (x <= 40, functools.partial(_expi_series, xp)),
        (x > 40, functools.partial(_expi_asymptotic, xp)),
    ]
    return piecewise(xp, (x,), pieces)


def _expi_series(xp: Functions, x: host.Array) -> Any:
    def step(count: int | host.Array, state: list[Any]) -> tuple[list[Any], Any]:
        y, term, total = state
        term = term * (y / count)
        total = total + term / count
        return [y, term, total], ~(term > TINY * total)

    total = iterate(xp, [x, xp.ones_like(x), xp.zeros_like(x)], step)[-1]
    return _EULER + xp.log(x) + total


def _expi_asymptotic(xp: Functions, x: host.Array) -> Any:
    def step(count: int | host.Array, state: list[Any]) -> tuple[list[Any], Any]:
        y, term, total = state
        # The series diverges in the end: from the smallest term on nothing is added.
        term = xp.where(count < y, term * (count / y), 0.0)
        return [y, term, total + term], ~(term > TINY)

    total = iterate(xp, [x, xp.ones_like(x), xp.ones_like(x)], step)[-1]
    return xp.exp(x) / x * total


def sici(xp: Functions, x: host.Array) -> tuple[Any, Any]:
    """Returns the integrals of the sine and the cosine, each divided by its argument."""
    size = xp.abs(x)
    near, huge, endless = size <= 4, size > _HUGE, xp.isinf(size)
    si_near, ci_near = _sici_series(xp, xp.where(near, size, 1.0))
    si_far, ci_far = _sici_fraction(xp, xp.where(near | huge, 5.0, size))
    last = xp.where(huge & ~endless, size, 1.0)
    ci_last = xp.where(endless, 0.0, xp.sin(last) / last)
    si = xp.where(near, si_near, xp.where(huge, math.pi / 2, si_far))
    ci = xp.where(near, ci_near, xp.where(huge, ci_last, ci_far))
    ci = xp.where(x == -xp.inf, xp.nan, ci)
    return xp.sign(x) * si, ci


def _sici_series(xp: Functions, x: host.Array) -> tuple[Any, Any]:
    si, ci, term = x, xp.zeros_like(x), x
    for k in range(2, 50):
        term = term * (x / k)
        sign = -1 if k % 4 >= 2 else 1
        if k % 2:
            si = si + sign * term / k
        else:
            ci = ci + sign * term / k
    return si, _EULER + xp.log(x) + ci


def _sici_fraction(xp: Functions, x: host.Array) -> tuple[Any, Any]:
    """Computes si and ci from the exponential integral of 1j * x, by Lentz's method in real and
    imaginary parts.
    """

    def step(count: int | host.Array, state: list[Any]) -> tuple[list[Any], Any]:
        b, y, c, ci, d, di, h, hi = state
        a, b = -count * count, b + 2.0
        d, di = _inverse(a * d + b, a * di + y)
        c, ci = _inverse(c, ci)
        c, ci = b + a * c, y + a * ci
        factor, turn = c * d - ci * di, c * di + ci * d
        h, hi = h * factor - hi * turn, h * turn + hi * factor
        return [b, y, c, ci, d, di, h, hi], ~(xp.abs(factor - 1.0) + xp.abs(turn) >= 1e-15)

    one, zero = xp.ones_like(x), xp.zeros_like(x)
    d, di = _inverse(one, x)
    state = [one, x, xp.full_like(x, 1e150), zero, d, di, d, di]
    *_, h, hi = iterate(xp, state, step)
    cosine, sine = xp.cos(x), xp.sin(x)
    return math.pi / 2 + (cosine * hi - sine * h), -(cosine * h + sine * hi)


def _inverse(x: host.Array, y: host.Array) -> tuple[Any, Any]:
    """Returns the parts of 1 / (x + 1j * y)."""
    size = x * x + y * y
    return x / size, -y / size


def spence(xp: Functions, x: host.Array) -> Any:
    """Spence's function: the dilogarithm of one minus x."""
    pieces: list[tuple[Any, Callable[[Any], Any]]] = [
        (x < 0, lambda x: xp.full_like(x, xp.nan)),
        (x == 0, lambda x: xp.full_like(x, math.pi**2 / 6)),
        (x < 0.5, lambda x: _reflected(xp, x)),
        (x <= 1.5, lambda x: _dilogarithm(xp, 1 - x)),
        (x > 1.5, lambda x: _inverted(xp, x)),
    ]
    return piecewise(xp, (x,), pieces)


def _reflected(xp: Functions, x: host.Array) -> Any:
    return math.pi**2 / 6 - xp.log(x) * xp.log1p(-x) - _dilogarithm(xp, x)


def _inverted(xp: Functions, x: host.Array) -> Any:
    inverse = 1 / x
    near = inverse > 0.5
    inside = xp.where(near, _dilogarithm(xp, 1 - inverse), 0.0)
    far = _reflected(xp, xp.where(near, 0.25, inverse))
    return -0.5 * xp.log(x) ** 2 - xp.where(near, inside, far)


_BERNOULLI: Final = (
    1.0,
    1 / 6,
    -1 / 30,
    1 / 42,
    -1 / 30,
    5 / 66,
    -691 / 2730,
    7 / 6,
    -3617 / 510,
    43867 / 798,
    -174611 / 330,
)
"""The Bernoulli numbers of even index."""


def _dilogarithm(xp: Functions, z: host.Array) -> Any:
    """Returns the dilogarithm within one half, as a fast series in `-log(1 - z)`."""
    u = -xp.log1p(-z)
    total = u - u * u / 4
    power = u
    for k in range(1, len(_BERNOULLI)):
        power = power * u * u / ((2 * k) * (2 * k + 1))
        total = total + _BERNOULLI[k] * power
    return total
