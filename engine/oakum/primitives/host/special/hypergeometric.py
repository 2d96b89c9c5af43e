"""Hypergeometric functions of one variable by their series, and the transformations of them."""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import ModuleType
from typing import Any

from oakum.primitives.host.special import gamma
from oakum.primitives.host.special.pieces import TINY, piecewise
from oakum.values import host

_MOST_TERMS = 4000


def _sum(xp: ModuleType, shape: object, ratio: Callable[[int], Any]) -> Any:
    """Returns the sum of terms, of which `ratio` returns each from the one before."""
    total, term = xp.ones(shape), xp.ones(shape)
    for k in range(_MOST_TERMS):
        term = term * ratio(k)
        total = total + term
        if xp.all(~(xp.abs(term) > TINY * xp.abs(total))):
            break
    return total


def gamma_function(xp: ModuleType, x: host.Array) -> Any:
    """Returns the gamma function, with its sign."""
    sign = xp.where((x < 0) & (xp.floor(x) % 2 != 0), -1.0, 1.0)
    return sign * xp.exp(gamma.lgamma(xp, x))


def _reciprocal_gamma(xp: ModuleType, x: host.Array) -> Any:
    pole = (x <= 0) & (x == xp.floor(x))
    return xp.where(pole, 0.0, 1 / gamma_function(xp, xp.where(pole, 1.0, x)))


def hyp1f1(xp: ModuleType, a: host.Array, b: host.Array, x: host.Array) -> Any:
    """Returns the confluent hypergeometric function."""

    def kummer(a: host.Array, b: host.Array, x: host.Array) -> Any:
        return xp.exp(x) * hyp1f1(xp, b - a, b, -x)

    pieces: list[tuple[Any, Callable[[Any, Any, Any], Any]]] = [
        (a == 0, lambda a, b, x: xp.ones(x.shape)),
        (a == b, lambda a, b, x: xp.exp(x)),
        (b == 0, lambda a, b, x: xp.full(x.shape, xp.inf)),
        ((x < 0) & ~((a <= 0) & (a == xp.floor(a))), kummer),
        (xp.abs(x) < 100, functools.partial(_hyp1f1_series, xp)),
        (xp.abs(x) >= 100, functools.partial(_hyp1f1_asymptotic, xp)),
    ]
    return piecewise(xp, (a, b, x), pieces)


def _hyp1f1_series(xp: ModuleType, a: host.Array, b: host.Array, x: host.Array) -> Any:
    return _sum(xp, x.shape, lambda k: (a + k) / (b + k) * x / (k + 1))


def _hyp1f1_asymptotic(xp: ModuleType, a: host.Array, b: host.Array, x: host.Array) -> Any:
    total, term = xp.ones(x.shape), xp.ones(x.shape)
    for k in range(60):
        step = term * (b - a + k) * (1 - a + k) / (k + 1) / x
        # The series diverges in the end; terms that grow again are left out.
        term = xp.where(xp.abs(step) < xp.abs(term), step, 0.0)
        total = total + term
    front = gamma_function(xp, b) * _reciprocal_gamma(xp, a)
    return front * xp.exp(x) * x ** (a - b) * total


def hyp2f1(xp: ModuleType, a: host.Array, b: host.Array, c: host.Array, x: host.Array) -> Any:
    """Gauss's hypergeometric function of a number up to one."""
    ends = ((a <= 0) & (a == xp.floor(a))) | ((b <= 0) & (b == xp.floor(b)))
    excess = c - a - b

    def pfaff(a: host.Array, b: host.Array, c: host.Array, x: host.Array) -> Any:
        return (1 - x) ** -a * hyp2f1(xp, a, c - b, c, x / (x - 1))

    series = functools.partial(_hyp2f1_series, xp)
    pieces: list[tuple[Any, Callable[[Any, Any, Any, Any], Any]]] = [
        (xp.isnan(x), lambda a, b, c, x: x),
        ((x == 0) | (a == 0) | (b == 0), lambda a, b, c, x: xp.ones(x.shape)),
        (ends, series),
        ((c <= 0) & (c == xp.floor(c)), lambda a, b, c, x: xp.full(x.shape, xp.inf)),
        (x > 1, lambda a, b, c, x: xp.full(x.shape, xp.inf)),  # as SciPy
        ((x == 1) & (excess <= 0), lambda a, b, c, x: xp.full(x.shape, xp.inf)),
        (x == 1, functools.partial(_at_one, xp)),
        (x < -0.5, pfaff),
        ((x > 0.8) & (excess != xp.floor(excess)), functools.partial(_near_one, xp)),
        (xp.abs(x) < 1, series),
    ]
    return piecewise(xp, (a, b, c, x), pieces)


def _hyp2f1_series(
    xp: ModuleType, a: host.Array, b: host.Array, c: host.Array, x: host.Array
) -> Any:
    return _sum(xp, x.shape, lambda k: (a + k) * (b + k) / (c + k) * x / (k + 1))


def _at_one(xp: ModuleType, a: host.Array, b: host.Array, c: host.Array, x: host.Array) -> Any:
    front = gamma_function(xp, c) * gamma_function(xp, c - a - b)
    return front * _reciprocal_gamma(xp, c - a) * _reciprocal_gamma(xp, c - b)


def _near_one(xp: ModuleType, a: host.Array, b: host.Array, c: host.Array, x: host.Array) -> Any:
    """Returns the connection of the series at zero with those at one."""
    excess, rest = c - a - b, 1 - x
    regular = _at_one(xp, a, b, c, x) * _hyp2f1_series(xp, a, b, 1 - excess, rest)
    front = gamma_function(xp, c) * gamma_function(xp, -excess) * rest**excess
    front = front * _reciprocal_gamma(xp, a) * _reciprocal_gamma(xp, b)
    return regular + front * _hyp2f1_series(xp, c - a, c - b, 1 + excess, rest)


def _slope_of_sum(
    xp: ModuleType, shape: object, ratio: Callable[[int], tuple[Any, Any]]
) -> tuple[Any, Any]:
    """Returns the sum of terms and its derivative by a parameter; `ratio` returns by what each term
    is multiplied, and the derivative of that.
    """
    total, term = xp.ones(shape), xp.ones(shape)
    slopes, slope = xp.zeros(shape), xp.zeros(shape)
    for k in range(_MOST_TERMS):
        factor, change = ratio(k)
        slope = slope * factor + term * change
        term = term * factor
        total, slopes = total + term, slopes + slope
        small = ~(xp.abs(slope) > TINY * xp.abs(slopes)) & ~(xp.abs(term) > TINY * xp.abs(total))
        if k > 2 and xp.all(small):
            break
    return total, slopes


def hyp1f1_slope(xp: ModuleType, a: host.Array, b: host.Array, x: host.Array, by: str) -> Any:
    """Returns the derivative of the confluent function by a parameter, by its series."""

    def ratio(k: int) -> tuple[Any, Any]:
        rest = x / (k + 1) / (b + k)
        return (a + k) * rest, rest if by == "a" else -(a + k) * rest / (b + k)

    return _slope_of_sum(xp, x.shape, ratio)[1]


def hyp2f1_slope(
    xp: ModuleType, a: host.Array, b: host.Array, c: host.Array, x: host.Array, by: str
) -> Any:
    """Returns the derivative of Gauss's function by a parameter, by its series; NaN from one on."""
    if by == "b":
        return hyp2f1_slope(xp, b, a, c, x, "a")  # the function is the same

    def series(a: host.Array, b: host.Array, c: host.Array, x: host.Array, by: str) -> Any:
        def ratio(k: int) -> tuple[Any, Any]:
            rest = (b + k) * x / (k + 1) / (c + k)
            return (a + k) * rest, rest if by == "a" else -(a + k) * rest / (c + k)

        return _slope_of_sum(xp, x.shape, ratio)

    def pfaff(a: host.Array, b: host.Array, c: host.Array, x: host.Array) -> Any:
        # (1 - x) ** -a * F(a, c - b, c, x / (x - 1))
        inner, front = x / (x - 1), (1 - x) ** -a
        value, slope = series(a, c - b, c, inner, by)
        if by == "a":
            return front * (slope - xp.log1p(-x) * value)
        return front * (slope + series(c - b, a, c, inner, "a")[1])

    pieces: list[tuple[Any, Callable[[Any, Any, Any, Any], Any]]] = [
        (x < -0.5, pfaff),
        (xp.abs(x) < 1, lambda a, b, c, x: series(a, b, c, x, by)[1]),
    ]
    return piecewise(xp, (a, b, c, x), pieces)
