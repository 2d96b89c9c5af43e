"""Sign, mantissa and exponent of floats."""

from __future__ import annotations

import functools
from typing import Any, Final

from oakum import dtypes, lax
from oakum import numpy as jnp
from oakum.dtypes import DType
from oakum.errors import DTypeError
from oakum.numpy import arguments, comparing, promoting
from oakum.values import host

_BITS: Final = {16: dtypes.int16, 32: dtypes.int32, 64: dtypes.int64}


def _refuse_complex(function: str, x: Any) -> None:
    if arguments.is_complex(x):
        raise DTypeError(
            f"{function} does not support complex-valued inputs",
            hint="Take the real and the imaginary part first.",
        )


def copysign(x: Any, y: Any) -> Any:
    """The size of the first with the sign of the second."""
    _refuse_complex("copysign", x)
    x, y = arguments.broadcast(x, y)
    size = lax.abs(x)
    return lax.select(comparing.signbit(y), lax.neg(size), size)


def spacing(x: Any) -> Any:
    """The distance to the next float away from zero."""
    _refuse_complex("jnp.spacing", x)
    infinity = promoting.like(x, float("inf"))
    if arguments.dtype_of(x) is dtypes.float16:
        return lax.sub(lax.nextafter(x, infinity), x)
    outward = copysign(lax.full_like(x, float("inf")), x)
    distance = lax.sub(lax.nextafter(x, outward), x)
    least = promoting.like(x, _limits(arguments.dtype_of(x)).smallest_subnormal)
    smallest = copysign(jnp.broadcast_to(least, x.shape), x)
    return arguments.strong(lax.select(lax.eq(distance, promoting.like(x, 0)), smallest, distance))


@functools.cache
def _limits(dtype: DType) -> Any:
    return host.ml_dtypes.finfo(host.dtype(dtype))


def frexp(x: Any) -> tuple[Any, Any]:
    """A mantissa of a size from 0.5 to 1, and a power of two."""
    _refuse_complex("frexp", x)
    return _frexp()(x)


@functools.cache
def _frexp() -> Any:
    from oakum import custom_jvp

    @custom_jvp
    def split(x: Any) -> tuple[Any, Any]:
        return _split(x)

    @split.defjvp
    def _derivative(primals: Any, tangents: Any) -> Any:
        (x,), (tangent,) = primals, tangents
        mantissa, exponent = split(x)
        scale = lax.exp2(lax.neg(arguments.convert(exponent, arguments.dtype_of(tangent))))
        no_tangent = host.np.zeros(exponent.shape, host.dtype(dtypes.float0))
        return (mantissa, exponent), (lax.mul(tangent, scale), no_tangent)

    return split


def _split(x: Any) -> tuple[Any, Any]:
    """Reads mantissa and exponent from the bits; what is subnormal is scaled up first."""
    dtype = arguments.dtype_of(x)
    info, integer = _limits(dtype), _BITS[dtype.bits]
    small = lax.lt(lax.abs(x), promoting.like(x, info.tiny))
    scaled = lax.select(small, lax.mul(x, promoting.like(x, 1 << info.nmant)), x)
    shift = lax.select(small, _full(x, -info.nmant, integer), _full(x, 0, integer))
    bits = lax.bitcast_convert_type(scaled, host.dtype(integer))
    mask, bias = (1 << info.nexp) - 1, 1 - info.minexp

    def constant(number: int) -> Any:
        return promoting.constant(number, integer)

    held = lax.bitwise_and(lax.shift_right_arithmetic(bits, constant(info.nmant)), constant(mask))
    exponent = lax.add(lax.add(shift, held), constant(1 - bias))
    rest = lax.bitwise_and(bits, constant(~(mask << info.nmant)))
    mantissa = lax.bitwise_or(rest, constant((bias - 1) << info.nmant))
    mantissa = lax.bitcast_convert_type(mantissa, host.dtype(dtype))
    special = lax.bitwise_or(lax.bitwise_not(lax.is_finite(x)), lax.eq(x, promoting.like(x, 0)))
    exponent = lax.select(special, lax.full_like(exponent, 0), exponent)
    mantissa = lax.select(special, arguments.strong(x), mantissa)
    return mantissa, arguments.convert(exponent, dtypes.int32)


def _full(x: Any, number: int, dtype: DType) -> Any:
    return lax.full(arguments.shape_of(x), number, host.dtype(dtype))


def ldexp(x: Any, exponent: Any) -> Any:
    """Multiples by powers of two."""
    if arguments.is_complex(x) or arguments.is_inexact(exponent):
        kinds = (x.dtype, exponent.dtype)
        raise DTypeError(
            f"ldexp not supported for input types {kinds}",
            hint="Give real numbers, and integers as exponents.",
        )
    (x,) = promoting.promote_inexact("ldexp", x)
    x, exponent = arguments.broadcast(x, exponent)
    dtype = arguments.dtype_of(x)
    mantissa, own = frexp(x)
    power = lax.add(arguments.convert(own, dtype), arguments.convert(exponent, dtype))
    # A mantissa below one would need a power of two that is beyond the greatest float.
    above = lax.gt(power, promoting.like(power, 0))
    mantissa = lax.select(above, lax.add(mantissa, mantissa), mantissa)
    power = lax.select(above, lax.sub(power, promoting.like(power, 1)), power)
    scaled = lax.mul(mantissa, lax.pow(lax.full_like(power, 2), power))
    kept = lax.bitwise_or(comparing.isinf(x), lax.eq(x, promoting.like(x, 0)))
    return lax.select(kept, x, scaled)
