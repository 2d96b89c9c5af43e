"""Logarithms of sums of exponentials of two operands, without overflow."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

from oakum import lax
from oakum.numpy import arguments, comparing, promoting
from oakum.values.records import dataclass


@dataclass(frozen=True, slots=True)
class Base:
    """The base of logarithms: its exponential, and what turns natural logarithms into them."""

    exp: Callable[[Any], Any]
    scale: float


NATURAL = Base(lambda x: lax.exp(x), 1.0)
TWO = Base(lambda x: lax.exp2(x), 1 / math.log(2))


def log_add(x: Any, y: Any, *, base: Base) -> Any:
    """The logarithm of the sum of the exponentials of two operands of one dtype."""
    return _of_base(base)(*arguments.broadcast(x, y))


@functools.cache
def _of_base(base: Base) -> Any:
    from oakum import custom_jvp

    @custom_jvp
    def added(x: Any, y: Any) -> Any:
        return _complex(x, y, base) if arguments.is_complex(x) else _real(x, y, base)

    @added.defjvp
    def _derivative(primals: Any, tangents: Any) -> Any:
        out = added(*primals)
        finite = _without_infinity(out)
        parts = [
            lax.mul(tangent, base.exp(lax.sub(_without_infinity(primal), finite)))
            for primal, tangent in zip(primals, tangents, strict=True)
        ]
        return out, lax.add(*parts)

    return added


def _without_infinity(x: Any) -> Any:
    """Zero in the place of infinity, so that differences are numbers."""
    parts = lax.real(x) if arguments.is_complex(x) else x
    infinite = lax.eq(parts, promoting.like(parts, math.inf))
    return lax.select(infinite, lax.full_like(x, 0), x)


def _log1p(x: Any, base: Base) -> Any:
    logs = lax.log1p(x)
    return logs if base.scale == 1 else lax.mul(logs, promoting.like(logs, base.scale))


def _real(x: Any, y: Any, base: Base) -> Any:
    distance = lax.sub(x, y)
    rest = _log1p(base.exp(lax.neg(lax.abs(distance))), base)
    # The distance of equal infinities is NaN, and their sum is the answer.
    return lax.select(comparing.isnan(distance), lax.add(x, y), lax.add(lax.max(x, y), rest))


def _complex(x: Any, y: Any, base: Base) -> Any:
    top = lax.max(x, y)
    distance = lax.sub(lax.add(x, y), lax.add(top, top))
    result = lax.add(top, _log1p(base.exp(distance), base))
    return lax.complex(lax.real(result), _turned(lax.imag(result), math.pi * base.scale))


def _turned(x: Any, half: float) -> Any:
    """Angles moved by whole turns into the one around zero."""
    bound, turn = promoting.like(x, half), promoting.like(x, 2 * half)
    rest = lax.rem(lax.add(x, bound), turn)
    below = lax.lt(rest, promoting.like(x, 0))
    return lax.sub(lax.select(below, lax.add(rest, turn), rest), bound)
