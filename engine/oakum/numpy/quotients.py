"""Division that rounds, its remainders, and common divisors."""

from __future__ import annotations

import builtins
from typing import Any

from oakum import lax
from oakum import numpy as jnp
from oakum.dtypes import Kind
from oakum.errors import DTypeError
from oakum.numpy import arguments, promoting

_INTEGERS = (Kind.INT, Kind.UINT)


def _without_zeros(divisor: Any) -> Any:
    """Integer divisors with one in the place of zero, so that the remainder is zero."""
    zero = lax.eq(divisor, promoting.like(divisor, 0))
    return lax.select(zero, lax.full_like(divisor, 1), divisor)


def _refuse_complex(function: str, x: Any) -> None:
    if arguments.is_complex(x):
        raise DTypeError(
            f"{function} does not support complex-valued inputs",
            hint="Complex numbers have no order to round by; take real parts first.",
        )


def floor_divide(x: Any, y: Any) -> Any:
    """Quotients rounded down."""
    _refuse_complex("floor_divide", x)
    x, y = arguments.broadcast(x, y)
    if arguments.is_kind(x, Kind.UINT):
        return lax.div(x, y)
    if not arguments.is_kind(x, Kind.INT):
        return _float_divmod(x, y)[0]
    quotient = lax.div(x, y)
    opposite = lax.ne(lax.sign(x), lax.sign(y))
    inexact = lax.ne(lax.rem(x, y), promoting.like(x, 0))
    below = lax.sub(quotient, promoting.like(x, 1))
    return lax.select(lax.bitwise_and(opposite, inexact), below, quotient)


def divmod(x: Any, y: Any) -> tuple[Any, Any]:
    """Quotients rounded down, and what remains."""
    _refuse_complex("divmod", x)
    if arguments.is_kind(x, *_INTEGERS):
        return floor_divide(x, y), remainder(x, y)
    return _float_divmod(*arguments.broadcast(x, y))


def _float_divmod(x: Any, y: Any) -> tuple[Any, Any]:
    rest = lax.rem(x, y)
    whole = lax.select(lax.eq(y, 0.0), x, lax.sub(x, rest))
    quotient = lax.div(whole, y)
    opposite = lax.ne(lax.sign(y), lax.sign(rest))
    beyond = lax.bitwise_and(lax.ne(rest, 0.0), opposite)
    rest = lax.select(beyond, lax.add(rest, y), rest)
    quotient = lax.select(beyond, lax.sub(quotient, 1.0), quotient)
    return lax.round(quotient), rest


def remainder(x: Any, y: Any) -> Any:
    """What remains of division that rounds down: it has the sign of the divisor."""
    x, y = arguments.broadcast(x, y)
    if arguments.is_kind(x, *_INTEGERS):
        y = _without_zeros(y)
    zero = promoting.like(x, 0)
    rest = lax.rem(x, y)
    opposite = lax.ne(lax.lt(rest, zero), lax.lt(y, zero))
    moved = lax.bitwise_and(opposite, lax.ne(rest, zero))
    return lax.select(moved, lax.add(rest, y), rest)


def fmod(x: Any, y: Any) -> Any:
    """What remains of division that rounds toward zero: it has the sign of the dividend."""
    return lax.rem(x, _without_zeros(y) if arguments.is_kind(x, *_INTEGERS) else y)


def _integers(function: str, *values: Any) -> list[Any]:
    if not builtins.all(arguments.is_kind(value, *_INTEGERS) for value in values):
        raise DTypeError(
            f"Arguments to jax.numpy.{function} must be integers.",
            hint="Convert the arguments with astype(int).",
        )
    given = [jnp.abs(value) for value in arguments.broadcast(*values)]
    return [arguments.strong_above_scalars(value) for value in given]


def gcd(x: Any, y: Any) -> Any:
    """Greatest common divisors, by Euclid's algorithm on all elements at once."""
    result, _ = lax.while_loop(_has_rest, _euclid, tuple(_integers("gcd", x, y)))
    return result


def _has_rest(pair: tuple[Any, Any]) -> Any:
    return jnp.any(lax.ne(pair[1], promoting.like(pair[1], 0)))


def _euclid(pair: tuple[Any, Any]) -> tuple[Any, Any]:
    x, y = pair
    going = lax.ne(y, promoting.like(y, 0))
    rest = lax.rem(x, _without_zeros(y))
    return lax.select(going, y, x), lax.select(going, rest, y)


def lcm(x: Any, y: Any) -> Any:
    """Least common multiples."""
    x, y = _integers("lcm", x, y)
    divisor = gcd(x, y)
    multiple = lax.mul(x, lax.div(y, _without_zeros(divisor)))
    none = lax.eq(divisor, promoting.like(divisor, 0))
    return lax.select(none, lax.full_like(multiple, 0), multiple)
