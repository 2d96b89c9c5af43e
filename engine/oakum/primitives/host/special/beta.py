"""The regularised incomplete beta function, by its continued fraction."""

from __future__ import annotations

import math
from typing import Any, Final

from oakum.primitives.host.special.gamma import lgamma, stirling_rest
from oakum.primitives.host.special.incomplete import log_ratio_minus
from oakum.primitives.host.special.pieces import Functions, iterate, piecewise
from oakum.values import host

_SMALL: Final = 1e-300
"""What replaces zero denominators of the continued fraction, as in Lentz's method."""


def betainc(xp: Functions, a: host.Array, b: host.Array, x: host.Array) -> Any:
    """Returns the regularised incomplete beta function."""
    defined = (a >= 0) & (b >= 0) & (x >= 0) & (x <= 1)
    # The whole distribution is at one end of the interval, or at both.
    at_one, at_zero = (b == 0) | xp.isinf(a), (a == 0) | xp.isinf(b)

    def direct(p: host.Array, q: host.Array, y: host.Array) -> Any:
        return _front(xp, p, q, y) / p * _fraction(xp, p, q, y)

    def mirrored(p: host.Array, q: host.Array, y: host.Array) -> Any:
        return 1.0 - _front(xp, p, q, y) / q * _fraction(xp, q, p, 1.0 - y)

    return piecewise(
        xp,
        (a, b, x),
        (
            (~defined | (at_one & at_zero), lambda p, q, y: xp.full_like(y, xp.nan)),
            (x == 0, lambda p, q, y: xp.zeros_like(y)),
            (x == 1, lambda p, q, y: xp.ones_like(y)),
            (at_one, lambda p, q, y: xp.zeros_like(y)),
            (at_zero, lambda p, q, y: xp.ones_like(y)),
            (x <= (a + 1.0) / (a + b + 2.0), direct),
            (defined, mirrored),
        ),
    )


def _front(xp: Functions, a: host.Array, b: host.Array, x: host.Array) -> Any:
    """x ** a * (1 - x) ** b / beta(a, b)."""

    def large(p: host.Array, q: host.Array, y: host.Array) -> Any:
        total = p + q
        mean = p / total
        exponent = p * log_ratio_minus(xp, y, mean) + q * log_ratio_minus(xp, 1.0 - y, q / total)
        rest = stirling_rest(total) - stirling_rest(p) - stirling_rest(q)
        return xp.exp(exponent + rest) * xp.sqrt(p / (2 * math.pi) * (q / total))

    def small(p: host.Array, q: host.Array, y: host.Array) -> Any:
        return xp.exp(p * xp.log(y) + q * xp.log1p(-y) - _log_beta(xp, p, q))

    both = (a >= 10.0) & (b >= 10.0)
    return piecewise(xp, (a, b, x), ((both, large), (~both, small)))


def _log_beta(xp: Functions, a: host.Array, b: host.Array) -> Any:
    """Returns the logarithm of the beta function, of which one argument is small."""
    low, high = xp.minimum(a, b), xp.maximum(a, b)

    def uneven(p: host.Array, q: host.Array) -> Any:
        # The difference of lgamma(q) and lgamma(p + q), without their common magnitude.
        change = p - p * xp.log(p + q) - (q - 0.5) * xp.log1p(p / q)
        return lgamma(xp, p) + change + stirling_rest(q) - stirling_rest(p + q)

    def small(p: host.Array, q: host.Array) -> Any:
        return lgamma(xp, p) + lgamma(xp, q) - lgamma(xp, p + q)

    return piecewise(xp, (low, high), ((high >= 10.0, uneven), (high < 10.0, small)))


def _fraction(xp: Functions, a: host.Array, b: host.Array, x: host.Array) -> Any:
    """Returns the continued fraction, by Lentz's method."""

    def bounded(y: host.Array) -> Any:
        return xp.where(xp.abs(y) < _SMALL, _SMALL, y)

    def step(count: int | host.Array, state: list[Any]) -> tuple[list[Any], Any]:
        p, q, y, above, below, value = state
        twice = p + 2.0 * count
        even = count * (q - count) * y / ((twice - 1.0) * twice)
        odd = -(p + count) * (p + q + count) * y / (twice * (twice + 1.0))
        change = xp.ones_like(y)
        for numerator in (even, odd):
            below = 1.0 / bounded(1.0 + numerator * below)
            above = bounded(1.0 + numerator / above)
            change = below * above
            value = value * change
        done = (xp.abs(change - 1.0) < 3e-16) | xp.isnan(value)
        return [p, q, y, above, below, value], done

    below = 1.0 / bounded(1.0 - (a + b) * x / (a + 1.0))
    state = [a, b, x, xp.ones_like(x), below, xp.array(below)]
    return iterate(xp, state, step)[-1]
