"""The regularised incomplete gamma functions, and their derivatives by the first argument."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

from oakum.primitives.host.special.error import erfc
from oakum.primitives.host.special.gamma import digamma, lgamma, lgamma_beyond_one, stirling_rest
from oakum.primitives.host.special.pieces import TINY, Functions, iterate, piecewise, polynomial
from oakum.values import host

_ROUNDED: Final = 1e-16
"""A change of a difference below this part of what it is the difference of: half a unit."""


def log_ratio_minus(xp: Functions, above: host.Array, below: host.Array) -> Any:
    """Returns the logarithm of a ratio, minus by how much the ratio exceeds one."""
    x = (above - below) / below
    z = x / (2.0 + x)
    square = z * z
    total = xp.zeros_like(x)
    for k in range(25, 0, -1):
        total = (total + 1.0 / (2 * k + 1)) * square
    # 2 * atanh(z) = log1p(x), and 2 * z - x = -x * z.
    near = 2.0 * z * total - x * z
    return xp.where(xp.abs(x) < 0.3, near, xp.log(above / below) - x)


def prefactor(xp: Functions, a: host.Array, x: host.Array) -> Any:
    """x ** a * exp(-x) / gamma(a + 1)."""

    def large(b: host.Array, y: host.Array) -> Any:
        exponent = b * log_ratio_minus(xp, y, b) - stirling_rest(b)
        return xp.exp(exponent) / xp.sqrt(2 * math.pi * b)

    def small(b: host.Array, y: host.Array) -> Any:
        return xp.exp(b * xp.log(y) - y - lgamma(xp, b + 1.0))

    return piecewise(xp, (a, x), ((a >= 10.0, large), (a < 10.0, small)))


_LARGE: Final = 1e4
"""From here on the expansion near `a` has the digits of a double with the terms below."""

_NEAR: Final = 0.05
"""How far from `a`, as a part of it, the expansion is used: further away the series and the
continued fraction take less than a thousand steps, whatever `a` is."""

_REMAINDERS: Final = (
    (
        -1 / 3,
        1 / 12,
        -23 / 540,
        353 / 12960,
        -589 / 30240,
        81083 / 5443200,
        -7783 / 653184,
        514303 / 52254720,
        -646245559 / 77598259200,
        46803332951 / 6518253772800,
        -0.006284419272101214,
        0.005568252617885114,
    ),
    (-1 / 540, -1 / 288, 23 / 6048, -3733 / 1088640, 3253 / 1088640, -135719 / 52254720),
    (25 / 6048, -139 / 51840, 259 / 155520),
)
"""The remainder of Temme's uniform expansion (1979), over what the density's exponential is: for
each power of `1 / a` the coefficients of powers of `x / a - 1`, the lowest first."""

_SLOPES: Final = (
    (-1 / 6, 1 / 12, -1 / 20, 1 / 30, -1 / 42, 1 / 56, -1 / 72, 1 / 90, -1 / 110),
    (-1 / 60, 0.0, 1 / 210, -1 / 168, 1 / 168),
)
"""The derivative by `a` of the whole expansion over `prefactor`, from the first power of `1 / a`
on."""


def _is_near(xp: Functions, a: host.Array, x: host.Array) -> Any:
    """Returns where both arguments are large, and near each other."""
    return (a >= _LARGE) & (xp.abs(x - a) <= _NEAR * a)


def _expanded(a: host.Array, x: host.Array, terms: tuple[tuple[float, ...], ...]) -> Any:
    """Returns a sum over powers of `1 / a` and of `x / a - 1`."""
    beyond = (x - a) / a
    total: Any = 0.0
    for each in reversed(terms):
        total = total / a + polynomial(tuple(reversed(each)), beyond)
    return total


def _near(xp: Functions, a: host.Array, x: host.Array, side: float) -> Any:
    """Returns the lower function, for side -1, or the upper one, where `_is_near`."""
    exponent = a * log_ratio_minus(xp, x, a)
    size = xp.sqrt(xp.maximum(-exponent, 0.0))
    root = xp.where(x < a, -size, size)
    rest = xp.exp(exponent) / xp.sqrt(2 * math.pi * a) * _expanded(a, x, _REMAINDERS)
    return 0.5 * erfc(xp, side * root) + side * rest


def _slope_near(xp: Functions, a: host.Array, x: host.Array) -> Any:
    """Returns the derivative of the lower function by `a` over `prefactor`, where `_is_near`. The
    sums of which it is the difference elsewhere cancel as `a` grows, and end before they converge.
    """
    beyond = (x - a) / a
    first = xp.where(beyond == 0.0, -1.0, -xp.log1p(beyond) / xp.where(beyond == 0.0, 1.0, beyond))
    return first + _expanded(a, x, _SLOPES) / a


def _series(xp: Functions, a: host.Array, x: host.Array) -> Any:
    """Returns the sum of x ** n / ((a + 1) ... (a + n))."""

    def step(count: int | host.Array, state: list[Any]) -> tuple[list[Any], Any]:
        b, y, term, total = state
        term = term * y / (b + count)
        total = total + term
        return [b, y, term, total], (term <= TINY * total) | xp.isnan(total)

    one = xp.ones_like(a)
    return iterate(xp, [a, x, one, one], step)[-1]


def _series_and_slope(xp: Functions, a: host.Array, x: host.Array) -> tuple[Any, Any]:
    """Returns the sum of x ** n / ((a + 1) ... (a + n)), with its derivative by a."""

    def step(count: int | host.Array, state: list[Any]) -> tuple[list[Any], Any]:
        b, y, term, total, slope, slopes = state
        divisor = b + count
        slope = (slope - term / divisor) * y / divisor
        term = term * y / divisor
        total, slopes = total + term, slopes + slope
        done = (term <= TINY * total) & (xp.abs(slope) <= TINY * xp.abs(slopes))
        return [b, y, term, total, slope, slopes], done | xp.isnan(total)

    one, zero = xp.ones_like(a), xp.zeros_like(a)
    _, _, _, total, _, slopes = iterate(xp, [a, x, one, one, zero, zero], step)
    return total, slopes


def _fraction(xp: Functions, a: host.Array, x: host.Array) -> Any:
    """Returns the continued fraction of the upper function, over x ** a * exp(-x) / gamma(a)."""

    def step(count: int | host.Array, state: list[Any]) -> tuple[list[Any], Any]:
        b, y, p2, q2, p1, q1, old = state
        z, weight = y + 2.0 - b + 2.0 * count, (count + 1.0 - b) * count
        p, q = p1 * z - p2 * weight, q1 * z - q2 * weight
        value = p / q
        done = (xp.abs(value - old) <= 2e-16 * xp.abs(value)) | xp.isnan(value)
        scale = xp.where(xp.abs(p) > 1e100, 1e-100, 1.0)
        return [b, y, *(each * scale for each in (p1, q1, p, q)), value], done

    one, p1, q1 = xp.ones_like(a), x + 1.0, (x + 2.0 - a) * x
    return iterate(xp, [a, x, one, x, p1, q1, p1 / q1], step)[-1]


def _fraction_and_slope(xp: Functions, a: host.Array, x: host.Array) -> tuple[Any, Any]:
    """Returns the continued fraction of the upper function, with its derivative by a."""

    def step(count: int | host.Array, state: list[Any]) -> tuple[list[Any], Any]:
        b, y, p2, q2, p1, q1, dp2, dq2, dp1, dq1, old, dold = state
        up = count + 1.0 - b
        z = y + 2.0 - b + 2.0 * count
        weight = up * count
        p, q = p1 * z - p2 * weight, q1 * z - q2 * weight
        dp = dp1 * z - p1 - dp2 * weight + p2 * count
        dq = dq1 * z - q1 - dq2 * weight + q2 * count
        value = p / q
        slope = (dp - value * dq) / q
        # What cancels in the slope leaves its rounding errors: to ask that two slopes agree to a
        # unit of their own would wait for a coincidence of hundreds of units.
        rounding = (xp.abs(dp) + xp.abs(value * dq)) / xp.abs(q)
        done = (xp.abs(value - old) <= 2e-16 * xp.abs(value)) & (
            xp.abs(slope - dold) <= _ROUNDED * rounding + 1e-300
        )
        scale = xp.where(xp.abs(p) > 1e100, 1e-100, 1.0)
        parts = (p1, q1, p, q, dp1, dq1, dp, dq)
        scaled = [each * scale for each in parts]
        return [b, y, *scaled, value, slope], done | xp.isnan(value)

    one, zero = xp.ones_like(a), xp.zeros_like(a)
    p1, q1 = x + 1.0, (x + 2.0 - a) * x
    first = p1 / q1
    state = [a, x, one, x, p1, q1, zero, zero, zero, -x, first, first * x / q1]
    *_, value, slope = iterate(xp, state, step)
    return value, slope


def _lower_by_series(xp: Functions, a: host.Array, x: host.Array) -> Any:
    return prefactor(xp, a, x) * _series(xp, a, x)


def _upper_by_fraction(xp: Functions, a: host.Array, x: host.Array) -> Any:
    return prefactor(xp, a, x) * a * _fraction(xp, a, x)


def _is_mostly_upper(xp: Functions, a: host.Array, x: host.Array) -> Any:
    """Returns where the lower function of a small `x` is above a half or near it: what it lacks of
    one has lost digits there.
    """
    small = xp.minimum(x, 0.5)
    return (x <= 1.0) & xp.where(x <= 0.5, a < -0.4 / xp.log(small), a < 1.1 * x)


def _upper_by_series(xp: Functions, a: host.Array, x: host.Array) -> Any:
    """Returns the upper function where `_is_mostly_upper`, of a size of its own: as
    1 - x ** a / gamma(a + 1), and the rest of the alternating series.
    """

    def step(count: int | host.Array, state: list[Any]) -> tuple[list[Any], Any]:
        b, y, power, total = state
        power = -power * y / count
        term = power / (b + count)
        return [b, y, power, total + term], xp.abs(term) <= TINY * xp.abs(total)

    near = xp.minimum(a, 0.5)
    shift = xp.where(a <= 0.5, lgamma_beyond_one(xp, near), lgamma(xp, a + 1.0))
    exponent = a * xp.log(x) - shift
    rest = iterate(xp, [a, x, xp.ones_like(a), xp.zeros_like(a)], step)[-1]
    return -xp.expm1(exponent) - a * xp.exp(exponent) * rest


def igamma(xp: Functions, a: host.Array, x: host.Array) -> Any:
    """Returns the regularised lower incomplete gamma function."""
    inside = ((a > 0) & (x >= 0)) | ((a == 0) & (x > 0))
    return piecewise(
        xp,
        (a, x),
        (
            (~inside | xp.isnan(a) | xp.isnan(x), _nan(xp)),
            (x == 0, lambda b, y: xp.zeros_like(y)),
            (xp.isinf(x) | (a == 0), lambda b, y: xp.ones_like(y)),
            (xp.isinf(a), lambda b, y: xp.zeros_like(y)),
            (_is_near(xp, a, x), lambda b, y: _near(xp, b, y, -1.0)),
            ((x <= 1.0) | (x <= a), lambda b, y: _lower_by_series(xp, b, y)),
            (inside, lambda b, y: 1.0 - _upper_by_fraction(xp, b, y)),
        ),
    )


def igammac(xp: Functions, a: host.Array, x: host.Array) -> Any:
    """Returns the regularised upper incomplete gamma function."""
    inside = ((a > 0) & (x >= 0)) | ((a == 0) & (x > 0))
    return piecewise(
        xp,
        (a, x),
        (
            (~inside | xp.isnan(a) | xp.isnan(x), _nan(xp)),
            (x == 0, lambda b, y: xp.ones_like(y)),
            (xp.isinf(x) | (a == 0), lambda b, y: xp.zeros_like(y)),
            (xp.isinf(a), lambda b, y: xp.ones_like(y)),
            (_is_near(xp, a, x), lambda b, y: _near(xp, b, y, 1.0)),
            (_is_mostly_upper(xp, a, x), lambda b, y: _upper_by_series(xp, b, y)),
            ((x <= 1.0) | (x <= a), lambda b, y: 1.0 - _lower_by_series(xp, b, y)),
            (inside, lambda b, y: _upper_by_fraction(xp, b, y)),
        ),
    )


def _nan(xp: Functions) -> Callable[[Any, Any], Any]:
    return lambda a, x: xp.full_like(x, xp.nan)


def igamma_grad_a(xp: Functions, a: host.Array, x: host.Array) -> Any:
    """Returns the derivative of the lower function by its first argument."""
    inside = (a > 0) & (x >= 0)

    def lower(b: host.Array, y: host.Array) -> Any:
        return prefactor(xp, b, y) * _slope_of_series(xp, b, y)

    def upper(b: host.Array, y: host.Array) -> Any:
        return -prefactor(xp, b, y) * b * _slope_of_fraction(xp, b, y)

    return piecewise(
        xp,
        (a, x),
        (
            (~inside | xp.isnan(a) | xp.isnan(x) | (xp.isinf(a) & xp.isinf(x)), _nan(xp)),
            (x == 0, lambda b, y: xp.zeros_like(y)),
            (xp.isinf(x) | xp.isinf(a), lambda b, y: xp.zeros_like(y)),
            (_is_near(xp, a, x), lambda b, y: prefactor(xp, b, y) * _slope_near(xp, b, y)),
            ((x <= 1.0) | (x <= a), lower),
            (inside, upper),
        ),
    )


def _slope_of_series(xp: Functions, a: host.Array, x: host.Array) -> Any:
    total, slopes = _series_and_slope(xp, a, x)
    return total * (xp.log(x) - digamma(xp, a + 1.0)) + slopes


def _slope_of_fraction(xp: Functions, a: host.Array, x: host.Array) -> Any:
    value, slope = _fraction_and_slope(xp, a, x)
    return value * (xp.log(x) - digamma(xp, a)) + slope


def random_gamma_grad(xp: Functions, a: host.Array, x: host.Array) -> Any:
    """Returns the derivative of a sample of the gamma distribution by its shape parameter: how the
    quantile moves that the sample is.
    """
    inside = (a > 0) & (x >= 0)
    return piecewise(
        xp,
        (a, x),
        (
            (~inside | xp.isnan(a) | xp.isnan(x), _nan(xp)),
            (x == 0, lambda b, y: xp.zeros_like(y)),
            (_is_near(xp, a, x), lambda b, y: -y / b * _slope_near(xp, b, y)),
            ((x <= 1.0) | (x <= a), lambda b, y: -y / b * _slope_of_series(xp, b, y)),
            (inside, lambda b, y: y * _slope_of_fraction(xp, b, y)),
        ),
    )
