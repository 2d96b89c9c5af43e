"""Arithmetic and functions of one operand, on operands that are promoted already."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

from oakum import dtypes, lax
from oakum.dtypes import Kind
from oakum.errors import DTypeError
from oakum.numpy import arguments, promoting


def add(x: Any, y: Any) -> Any:
    """Sums; of booleans the disjunction."""
    if x.aval.dtype is dtypes.bool_:
        return lax.bitwise_or(*_same_shape(x, y))
    return lax.add(x, y)


def multiply(x: Any, y: Any) -> Any:
    """Products; of booleans the conjunction."""
    if x.aval.dtype is dtypes.bool_:
        return lax.bitwise_and(*_same_shape(x, y))
    return lax.mul(x, y)


def _same_shape(x: Any, y: Any) -> list[Any]:
    return arguments.broadcast(x, y)


def absolute(x: Any) -> Any:
    """Absolute values; numbers without a sign stay as they are."""
    if arguments.is_kind(x, Kind.BOOL, Kind.UINT):
        return promoting.staged(x)
    return lax.abs(x)


def real(x: Any) -> Any:
    """Real parts."""
    return lax.real(x) if arguments.is_complex(x) else promoting.staged(x)


def imag(x: Any) -> Any:
    """Imaginary parts."""
    return lax.imag(x) if arguments.is_complex(x) else lax.full_like(x, 0)


def conjugate(x: Any) -> Any:
    """Complex conjugates."""
    return lax.conj(x) if arguments.is_complex(x) else promoting.staged(x)


def angle(z: Any, *, deg: bool) -> Any:
    """Angles in the plane of complex numbers."""
    x, y = real(z), imag(z)
    lone_float = arguments.is_kind(z, Kind.FLOAT) and not z.ndim
    if lone_float or not arguments.is_inexact(x):
        dtype = arguments.inexact(dtypes.bool_)
        x, y = arguments.convert(x, dtype), arguments.convert(y, dtype)
    result = lax.atan2(y, x)
    return lax.mul(result, promoting.like(result, 180 / math.pi)) if deg else result


def scaled(function: str, x: Any, factor: float) -> Any:
    """Multiples by a constant."""
    (x,) = promoting.promote_inexact(function, x)
    return lax.mul(x, promoting.like(x, factor))


def log2(x: Any) -> Any:
    """Logarithms to the base two, exact for powers of two."""
    return _on_parts(x, lambda logs: lax.div(logs, _strong(logs, math.log(2))))


def log10(x: Any) -> Any:
    """Logarithms to the base ten."""
    return _on_parts(x, lambda logs: lax.mul(logs, _strong(logs, 1 / math.log(10))))


def _strong(like: Any, number: float) -> Any:
    return promoting.constant(number, arguments.dtype_of(like))


def _on_parts(x: Any, scale: Callable[[Any], Any]) -> Any:
    """Scales the logarithms of elements, of complex numbers in both parts."""
    logs = lax.log(x)
    if not arguments.is_complex(x):
        return scale(logs)
    return lax.complex(scale(lax.real(logs)), scale(lax.imag(logs)))


def arccosh(x: Any) -> Any:
    """Inverse hyperbolic cosines, whose real parts are not negative."""
    result = lax.acosh(x)
    if not arguments.is_complex(result):
        return result
    negative = lax.lt(lax.real(result), 0.0)
    return lax.select(negative, lax.neg(result), result)


def hypot(x: Any, y: Any) -> Any:
    """Hypotenuses, without overflow where the legs are squared."""
    if arguments.is_complex(x):
        raise DTypeError(
            "jnp.hypot is not well defined for complex-valued inputs",
            hint="Convert to real values first, such as by jnp.abs(x).",
        )
    x, y = arguments.broadcast(lax.abs(x), lax.abs(y))
    infinite = lax.bitwise_or(lax.eq(x, math.inf), lax.eq(y, math.inf))
    longer, shorter = lax.max(x, y), lax.min(x, y)
    no_length = lax.eq(longer, 0.0)
    ratio = lax.div(shorter, lax.select(no_length, lax.full_like(longer, 1), longer))
    length = lax.mul(longer, lax.sqrt(lax.add(lax.square(ratio), 1.0)))
    finite = lax.select(no_length, longer, length)
    result = lax.select(infinite, lax.full_like(finite, math.inf), finite)
    return arguments.strong_above_scalars(result)


def sinc(x: Any) -> Any:
    """sin(pi x) / (pi x), with derivatives of all orders at zero."""
    at_zero = lax.eq(x, promoting.like(x, 0))
    scaled_x = lax.mul(x, promoting.like(x, math.pi))
    safe = lax.select(at_zero, lax.full_like(x, 1), scaled_x)
    result = lax.select(at_zero, _sinc_series(0)(scaled_x), lax.div(lax.sin(safe), safe))
    return arguments.strong_above_scalars(result)


@functools.cache
def _sinc_series(order: int) -> Any:
    """The derivative of sin(x) / x of an order at zero, as a function that knows its own."""
    from oakum import custom_jvp

    coefficient = 0.0 if order % 2 else (-1) ** (order // 2) / (order + 1)

    @custom_jvp
    def series(x: Any) -> Any:
        return lax.full_like(x, coefficient)

    @series.defjvp
    def _derivative(primals: Any, tangents: Any) -> Any:
        (x,), (tangent,) = primals, tangents
        return series(x), lax.mul(_sinc_series(order + 1)(x), tangent)

    return series


def i0(x: Any) -> Any:
    """The modified Bessel function of order zero."""
    if not arguments.is_kind(x, Kind.FLOAT):
        raise DTypeError(
            f"Unsupported input type to jax.numpy.i0: {arguments.dtype_of(x)}",
            hint="Give real numbers.",
        )
    return _i0()(x)


@functools.cache
def _i0() -> Any:
    from oakum import custom_jvp

    @custom_jvp
    def bessel(x: Any) -> Any:
        size = lax.abs(x)
        return lax.mul(lax.exp(size), lax.bessel_i0e(size))

    @bessel.defjvp
    def _derivative(primals: Any, tangents: Any) -> Any:
        (x,), (tangent,) = primals, tangents
        slope = lax.mul(lax.exp(lax.abs(x)), lax.bessel_i1e(x))
        return bessel(x), lax.mul(slope, tangent)

    return bessel
