"""Modified Bessel functions of the first kind, scaled by exp(-abs(x))."""

from __future__ import annotations

import math
from types import ModuleType
from typing import Any, Final

from oakum.primitives.host.special.pieces import piecewise
from oakum.values import host

_BORDER: Final = 20.0
"""Below it the power series is used, above it the asymptotic one."""

_TERMS: Final = 50
"""The terms of the power series: for |x| up to 20 the next one is below 1e-28 of the sum."""


def i0e(xp: ModuleType, x: host.Array) -> Any:
    """Returns the scaled function of order zero."""
    size = xp.abs(x)
    return _scale(xp, size, 0)


def i1e(xp: ModuleType, x: host.Array) -> Any:
    """Returns the scaled function of order one, which is odd."""
    size = xp.abs(x)
    return xp.copysign(_scale(xp, size, 1), x)


def _scale(xp: ModuleType, size: host.Array, order: int) -> Any:
    def power_series(y: host.Array) -> Any:
        quarter = y * y * 0.25
        total = xp.ones_like(y)
        for k in range(_TERMS, 0, -1):
            total = 1.0 + total * quarter / (k * (k + order))
        return total * xp.exp(-y) * (y * 0.5 if order else 1.0)

    def asymptotic(y: host.Array) -> Any:
        total = term = xp.ones_like(y)
        for k in range(1, 31):
            term = term * ((2 * k - 1) ** 2 - 4 * order * order) / (8.0 * k * y)
            total = total + term
        return total / (math.sqrt(2 * math.pi) * xp.sqrt(y))

    return piecewise(
        xp,
        (size,),
        (
            (size <= _BORDER, power_series),
            (size < xp.inf, asymptotic),
            (size == xp.inf, xp.zeros_like),
        ),
    )
