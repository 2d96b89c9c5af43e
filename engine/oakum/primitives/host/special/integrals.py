"""Integrals of exponentials, sines and logarithms."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from types import ModuleType
from typing import Any, Final

from oakum.primitives.host.special import gamma
from oakum.primitives.host.special.pieces import piecewise
from oakum.values import host

_EULER: Final = 0.57721566490153286061


def expn(xp: ModuleType, n: host.Array, x: host.Array) -> Any:
    """Returns the exponential integral of integer order `n`."""
    pieces: list[tuple[Any, Callable[[Any, Any], Any]]] = [
        ((n < 0) | (x < 0), lambda n, x: xp.full(x.shape, xp.nan)),
        ((x == 0) & (n < 2), lambda n, x: xp.full(x.shape, xp.inf)),
        (x == 0, lambda n, x: 1 / (n - 1)),
        (x == xp.inf, lambda n, x: xp.zeros(x.shape)),
        (n == 0, lambda n, x: xp.exp(-x) / x),
        (x > 1, functools.partial(_expn_fraction, xp)),
        (x > 0, functools.partial(_expn_series, xp)),
    ]
    return piecewise(xp, (n, x), pieces)


def _fraction(xp: ModuleType, b: host.Array, numerator: Callable[[int], Any], terms: int) -> Any:
    """Returns 1 / (b + a1 / (b + 2 + a2 / (b + 4 + ...))), with the numerators `a1`, `a2` ...

    Lentz's method, as in Numerical Recipes, section 6.3.
    """
    c = xp.full(b.shape, 1e300, b.dtype)
    d = 1 / b
    h = d
    for i in range(1, terms):
        a = numerator(i)
        b = b + 2
        d = 1 / (a * d + b)
        c = b + a / c
        step = c * d
        h = h * step
        if xp.all(xp.abs(step - 1) < 1e-15):
            break
    return h


def _expn_fraction(xp: ModuleType, n: host.Array, x: host.Array) -> Any:
    return _fraction(xp, x + n, lambda i: -i * (n - 1 + i), 500) * xp.exp(-x)


def _expn_series(xp: ModuleType, n: host.Array, x: host.Array) -> Any:
    psi = gamma.digamma(xp, n)
    total = xp.where(n == 1, 0.0, 1 / xp.where(n == 1, 1.0, n - 1))
    power = xp.ones_like(x)
    for i in range(60):
        if i:
            power = power * (-x / i)
        singular = n - 1 == i
        regular = -power / xp.where(singular, 1.0, i - n + 1)
        term = xp.where(singular, power * (psi - xp.log(x)), regular)
        total = total + (term if i else xp.where(singular, term, 0.0))
    # An order beyond the terms of the sum has no logarithm that would be seen.
    return total


def expi(xp: ModuleType, x: host.Array) -> Any:
    """Returns the exponential integral `Ei`."""
    pieces: list[tuple[Any, Callable[[Any], Any]]] = [
        (x < 0, lambda x: -expn(xp, xp.ones_like(x), -x)),
        (x == 0, lambda x: xp.full(x.shape, -xp.inf)),
        (x == xp.inf, lambda x: x),
        (x <= 40, functools.partial(_expi_series, xp)),
        (x > 40, functools.partial(_expi_asymptotic, xp)),
    ]
    return piecewise(xp, (x,), pieces)


def _expi_series(xp: ModuleType, x: host.Array) -> Any:
    total, term = xp.zeros_like(x), xp.ones_like(x)
    for k in range(1, 160):
        term = term * (x / k)
        total = total + term / k
    return _EULER + xp.log(x) + total


def _expi_asymptotic(xp: ModuleType, x: host.Array) -> Any:
    total, term = xp.ones_like(x), xp.ones_like(x)
    for k in range(1, 36):
        term = term * (k / x)
        total = total + term
    return xp.exp(x) / x * total


def sici(xp: ModuleType, x: host.Array) -> tuple[Any, Any]:
    """Returns the integrals of the sine and the cosine, each divided by its argument."""
    size = xp.abs(x)
    near = size <= 4
    si_near, ci_near = _sici_series(xp, xp.where(near, size, 1.0))
    si_far, ci_far = _sici_fraction(xp, xp.where(near | xp.isinf(size), 5.0, size))
    endless = xp.isinf(size)
    si = xp.where(near, si_near, xp.where(endless, math.pi / 2, si_far))
    ci = xp.where(near, ci_near, xp.where(endless, 0.0, ci_far))
    ci = xp.where(xp.isneginf(x), xp.nan, ci)
    return xp.sign(x) * si, ci


def _sici_series(xp: ModuleType, x: host.Array) -> tuple[Any, Any]:
    si, ci, term = x, xp.zeros_like(x), x
    for k in range(2, 50):
        term = term * (x / k)
        sign = -1 if k % 4 >= 2 else 1
        if k % 2:
            si = si + sign * term / k
        else:
            ci = ci + sign * term / k
    return si, _EULER + xp.log(x) + ci


def _sici_fraction(xp: ModuleType, x: host.Array) -> tuple[Any, Any]:
    """Computes si and ci from the exponential integral of 1j * x, by a continued fraction."""
    h = _fraction(xp, 1 + 1j * x, lambda i: -(i * i), 300)
    h = (xp.cos(x) - 1j * xp.sin(x)) * h
    return math.pi / 2 + h.imag, -h.real


def spence(xp: ModuleType, x: host.Array) -> Any:
    """Spence's function: the dilogarithm of one minus x."""
    pieces: list[tuple[Any, Callable[[Any], Any]]] = [
        (x < 0, lambda x: xp.full(x.shape, xp.nan)),
        (x == 0, lambda x: xp.full(x.shape, math.pi**2 / 6)),
        (x < 0.5, lambda x: _reflected(xp, x)),
        (x <= 1.5, lambda x: _dilogarithm(xp, 1 - x)),
        (x > 1.5, lambda x: _inverted(xp, x)),
    ]
    return piecewise(xp, (x,), pieces)


def _reflected(xp: ModuleType, x: host.Array) -> Any:
    return math.pi**2 / 6 - xp.log(x) * xp.log1p(-x) - _dilogarithm(xp, x)


def _inverted(xp: ModuleType, x: host.Array) -> Any:
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


def _dilogarithm(xp: ModuleType, z: host.Array) -> Any:
    """Returns the dilogarithm within one half, as a fast series in `-log(1 - z)`."""
    u = -xp.log1p(-z)
    total = u - u * u / 4
    power = u
    for k in range(1, len(_BERNOULLI)):
        power = power * u * u / ((2 * k) * (2 * k + 1))
        total = total + _BERNOULLI[k] * power
    return total
