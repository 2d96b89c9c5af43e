"""Powers: of integers by squaring, of others as the dtypes of base and exponent ask."""

from __future__ import annotations

import operator
from typing import Any

from oakum import lax
from oakum.array import Array
from oakum.dtypes import Kind
from oakum.numpy import arguments, promoting
from oakum.tracing.trace import Tracer, full_lower
from oakum.values import host


def power(function: str, base: Any, exponent: Any) -> Any:
    """Powers; a known integer exponent gives products and quotients only."""
    base, exponent = promoting.check(function, base, exponent)
    known = _known_integer(exponent)
    if known is not None:
        return lax.integer_pow(*promoting.promote_numeric(function, base), y=known)
    x, y = promoting.promote_numeric(function, base, exponent)
    if arguments.is_kind(x, Kind.INT, Kind.UINT):
        return _of_integers(*arguments.broadcast(x, y))
    if arguments.is_inexact(base) and arguments.is_kind(exponent, Kind.INT, Kind.UINT):
        return lax.pow(x, _to_rank(exponent, y))
    return lax.pow(x, y)


def _to_rank(exponent: Any, promoted: Any) -> Any:
    """An integer exponent with the shape that promotion gave it."""
    return arguments.broadcast_to(exponent, arguments.shape_of(promoted))


def _known_integer(value: Any) -> int | None:
    found: Any = full_lower(value)
    if isinstance(found, Tracer):
        return None
    if isinstance(found, Array):
        is_integer = found.ndim == 0 and arguments.is_kind(found, Kind.INT, Kind.UINT)
        return int(host.np.asarray(found)) if is_integer else None
    try:
        return operator.index(found)
    except TypeError:
        return None


_STEPS = 6
"""Higher powers of an integer other than 0, 1 and -1 do not fit into 64 bits."""


def _of_integers(base: Any, exponent: Any) -> Any:
    zero, one = promoting.like(exponent, 0), promoting.like(exponent, 1)
    vanishes = lax.bitwise_and(lax.eq(base, promoting.like(base, 0)), lax.ne(exponent, zero))
    result = lax.select(vanishes, lax.full_like(base, 0), lax.full_like(base, 1))
    for _ in range(_STEPS):
        odd = lax.ne(lax.bitwise_and(exponent, one), zero)
        result = lax.select(odd, lax.mul(result, base), result)
        base = lax.mul(base, base)
        exponent = lax.shift_right_logical(exponent, one)
    return result
