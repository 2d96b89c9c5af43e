"""The logarithm of the gamma function, its derivatives, and the Hurwitz zeta function."""

from __future__ import annotations

import functools
import math
from typing import Any, Final

from oakum.primitives.host.special.pieces import Functions, Staged, iterate, piecewise, polynomial
from oakum.values import host

BERNOULLI: Final = (
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
    854513 / 138,
    -236364091 / 2730,
)
"""The Bernoulli numbers of even index from 2 on."""

_EULER: Final = 0.57721566490153286061
_HALF_LOG_TWO_PI: Final = 0.91893853320467274178
_MANY: Final = 10_000
"""More terms than this are not summed one by one."""


@functools.cache
def _zeta_minus_one(k: int) -> float:
    """Returns the sum of n ** -k from 2 on."""
    terms = [n**-k for n in range(2, 20)]
    cut = 20.0
    rest = cut ** (1 - k) / (k - 1) + cut**-k / 2 + k * cut ** (-k - 1) / 12
    rest -= k * (k + 1) * (k + 2) * cut ** (-k - 3) / 720
    rest += math.prod(range(k, k + 5)) * cut ** (-k - 5) / 30240
    rest -= math.prod(range(k, k + 7)) * cut ** (-k - 7) / 1209600
    return math.fsum([*terms, rest])


@functools.cache
def _near_two() -> tuple[float, ...]:
    """Returns the coefficients of lgamma(2 + z) / z, the highest first."""
    series = [1 - _EULER]
    series += [(-1) ** k * _zeta_minus_one(k) / k for k in range(2, 34)]
    return tuple(reversed(series))


def stirling_rest(x: host.Array) -> Any:
    """Returns lgamma minus Stirling's approximation of it, for arguments of at least 8."""
    terms = [each / ((2 * k + 1) * (2 * k + 2)) for k, each in enumerate(BERNOULLI[:10])]
    return polynomial(tuple(reversed(terms)), 1 / (x * x)) / x


def _stirling(xp: Functions, x: host.Array) -> Any:
    return (x - 0.5) * xp.log(x) - x + _HALF_LOG_TWO_PI + stirling_rest(x)


def _lowered(xp: Functions, x: host.Array) -> Any:
    """Returns the function of arguments up to 8, from that of arguments up to 2.5."""
    product, rest = xp.ones_like(x), x
    for _ in range(6):
        above = rest > 2.5
        rest = xp.where(above, rest - 1.0, rest)
        product = xp.where(above, product * rest, product)
    return xp.log(product) + (rest - 2.0) * polynomial(_near_two(), rest - 2.0)


def sin_pi(xp: Functions, x: host.Array) -> Any:
    """Returns the sine of pi times x, which is exact where the result is zero."""
    nearest = xp.rint(x)
    sign = xp.where(xp.fmod(nearest, 2.0) == 0, 1.0, -1.0)
    return sign * xp.sin(math.pi * (x - nearest))


def lgamma_beyond_one(xp: Functions, z: host.Array) -> Any:
    """Returns lgamma(1 + z) for z between -0.5 and 0.5, with all digits of a small z."""
    return z * polynomial(_near_two(), z) - xp.log1p(z)


def lgamma(xp: Functions, x: host.Array) -> Any:
    """Returns the logarithm of the absolute value of the gamma function."""
    if isinstance(xp, Staged):
        return xp.lgamma(x)

    def reflected(y: host.Array) -> Any:
        sine = xp.abs(sin_pi(xp, y))
        return xp.where(sine == 0, xp.inf, math.log(math.pi) - xp.log(sine) - lgamma(xp, 1.0 - y))

    def near_two(y: host.Array) -> Any:
        return (y - 2.0) * polynomial(_near_two(), y - 2.0)

    return piecewise(
        xp,
        (x,),
        (
            (xp.isinf(x), xp.abs),
            (x >= 8.0, lambda y: xp.where(y > 1e305, y * (xp.log(y) - 1.0), _stirling(xp, y))),
            (x > 2.5, lambda y: _lowered(xp, y)),
            (x > 1.5, near_two),
            (x > 0.5, lambda y: lgamma_beyond_one(xp, y - 1.0)),
            (x > 0.0, lambda y: lgamma_beyond_one(xp, y) - xp.log(y)),
            (x <= 0.0, reflected),
        ),
    )


def digamma(xp: Functions, x: host.Array) -> Any:
    """Returns the derivative of lgamma."""
    if isinstance(xp, Staged):
        return xp.digamma(x)

    def asymptotic(y: host.Array) -> Any:
        terms = [each / (2 * k + 2) for k, each in enumerate(BERNOULLI[:10])]
        z = 1 / (y * y)
        return xp.log(y) - 0.5 / y - z * polynomial(tuple(reversed(terms)), z)

    def raised(y: host.Array) -> Any:
        below = sum(1.0 / (y + k) for k in range(9, 0, -1)) + 1.0 / y
        return asymptotic(y + 10.0) - below

    def reflected(y: host.Array) -> Any:
        nearest = xp.rint(y)
        slope = math.pi / xp.tan(math.pi * (y - nearest))
        return xp.where(y == nearest, xp.nan, digamma(xp, 1.0 - y) - slope)

    return piecewise(
        xp,
        (x,),
        (
            (x == xp.inf, lambda y: y),
            (x >= 10.0, asymptotic),
            (x > 0.0, raised),
            (x <= 0.0, reflected),
        ),
    )


def zeta(xp: Functions, x: host.Array, q: host.Array) -> Any:
    """Returns the sum of (q + n) ** -x over the natural numbers n, for x above 1."""
    whole = xp.floor(q) == q
    even = xp.fmod(x, 2.0) == 0
    below = q <= 0
    return piecewise(
        xp,
        (x, q),
        (
            ((x == 1.0) | (below & whole & even), lambda s, a: xp.full_like(s, xp.inf)),
            (x < 1.0, lambda s, a: xp.full_like(s, xp.nan)),
            (below & (whole | (xp.floor(x) != x)), lambda s, a: xp.full_like(s, xp.nan)),
            (xp.isinf(q) & ~xp.isnan(x), lambda s, a: xp.zeros_like(s)),
            (~xp.isnan(x) & ~xp.isnan(q), lambda s, a: _euler_maclaurin(xp, s, a)),
        ),
    )


def _euler_maclaurin(xp: Functions, s: host.Array, a: host.Array) -> Any:
    terms = xp.minimum(10 + xp.maximum(0.0, -xp.floor(a)), _MANY)

    def step(count: int | host.Array, state: list[Any]) -> tuple[list[Any], Any]:
        power, start, last, total = state
        within = count <= last
        total = xp.where(within, total + start**power, total)
        return [power, xp.where(within, start + 1.0, start), last, total], count >= last

    _, start, _, total = iterate(xp, [-s, a, terms, xp.zeros_like(s)], step)
    power = start**-s
    total = total + power * start / (s - 1.0) + 0.5 * power
    factor = s * power / start
    for k, bernoulli in enumerate(BERNOULLI, 1):
        total = total + factor * (bernoulli / math.factorial(2 * k))
        factor = factor * (s + (2 * k - 1)) * (s + 2 * k) / (start * start)
    return total


def polygamma(xp: Functions, m: host.Array, x: host.Array) -> Any:
    """Returns the m-th derivative of digamma, for natural numbers m."""
    known = xp.array([float(math.factorial(k)) for k in range(171)])

    def derivative(n: host.Array, y: host.Array) -> Any:
        factor = xp.where(n > 170, xp.inf, known[xp.minimum(n, 170).astype(int)])
        sign = xp.where(xp.fmod(n, 2.0) == 0, -1.0, 1.0)
        return sign * factor * zeta(xp, n + 1.0, y)

    return piecewise(
        xp,
        (m, x),
        (
            (m == 0, lambda n, y: digamma(xp, y)),
            ((m > 0) & (xp.floor(m) == m), derivative),
        ),
    )
