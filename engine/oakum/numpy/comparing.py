"""Comparisons and tests, on operands that are promoted already."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from oakum import dtypes, lax
from oakum import numpy as jnp
from oakum.dtypes import Kind
from oakum.errors import DTypeError
from oakum.numpy import arguments, promoting
from oakum.values import host


def truth(x: Any) -> Any:
    """Whether elements are not zero."""
    return x if x.aval.dtype is dtypes.bool_ else lax.ne(x, promoting.like(x, 0))


def truths(function: str, *values: Any) -> list[Any]:
    """Whether the elements of operands are not zero; they get one shape."""
    return arguments.broadcast(
        *(arguments.strong_above_scalars(truth(x)) for x in promoting.promote(function, *values))
    )


def ordered(compare: Callable[[Any, Any], Any], x: Any, y: Any) -> Any:
    """A comparison by order; complex numbers are ordered by their real parts first."""
    if not arguments.is_complex(x):
        return compare(x, y)
    x, y = arguments.broadcast(x, y)
    same = lax.eq(lax.real(x), lax.real(y))
    return lax.select(same, compare(lax.imag(x), lax.imag(y)), compare(lax.real(x), lax.real(y)))


def constantly(x: Any, answer: bool) -> Any:
    """One answer for every element."""
    return lax.full_like(x, answer, host.np.bool_)


def isnan(x: Any) -> Any:
    """Where elements are NaN: they differ from themselves."""
    return lax.ne(x, x)


def isfinite(x: Any) -> Any:
    """Where elements are neither infinite nor NaN."""
    if arguments.is_complex(x):
        return lax.bitwise_and(lax.is_finite(lax.real(x)), lax.is_finite(lax.imag(x)))
    return lax.is_finite(x) if arguments.is_inexact(x) else constantly(x, True)


def isinf(x: Any) -> Any:
    """Where elements are infinite, in either part."""
    if arguments.is_complex(x):
        return lax.bitwise_or(isinf(lax.real(x)), isinf(lax.imag(x)))
    if not arguments.is_inexact(x):
        return constantly(x, False)
    return lax.eq(lax.abs(x), promoting.like(x, math.inf))


def is_infinity(function: str, x: Any, infinity: float, out: Any) -> Any:
    """Where elements are one of the two infinities."""
    (x,) = arguments.arrays(function, x)
    arguments.refuse_out("isneginf/isposinf", out)
    if arguments.is_complex(x):
        raise DTypeError(
            "isposinf/isneginf are not well defined for complex types",
            hint="Ask for the real or the imaginary part.",
        )
    if not arguments.is_inexact(x):
        return constantly(x, False)
    return lax.eq(x, promoting.like(x, infinity))


def isreal(x: Any) -> Any:
    """Where the imaginary part is zero."""
    return lax.eq(lax.imag(x), 0.0) if arguments.is_complex(x) else constantly(x, True)


def iscomplex(x: Any) -> Any:
    """Where the imaginary part is not zero."""
    return lax.ne(lax.imag(x), 0.0) if arguments.is_complex(x) else constantly(x, False)


_SAME_BITS = {8: "int8", 16: "int16", 32: "int32", 64: "int64"}


def signbit(x: Any) -> Any:
    """Where the sign bit is set, also that of negative zero."""
    dtype = arguments.dtype_of(x)
    match dtype.kind:
        case Kind.BOOL:
            return constantly(x, False)
        case Kind.INT | Kind.UINT:
            return lax.lt(x, promoting.like(x, 0))
        case Kind.FLOAT if dtype.bits in (16, 32, 64):
            bits = lax.bitcast_convert_type(x, _SAME_BITS[dtype.bits])
            return lax.lt(bits, promoting.like(bits, 0))
        case Kind.FLOAT:
            raise NotImplementedError("jax.numpy.signbit only supports 16, 32, and 64-bit types.")
        case _:
            raise DTypeError(
                f"jax.numpy.signbit is not well defined for {dtype}", hint="Give real numbers."
            )


def right_shift(x: Any, y: Any) -> Any:
    """Shifts to the right, which keep the sign of numbers that have one."""
    if arguments.is_kind(x, Kind.UINT):
        return lax.shift_right_logical(x, y)
    return lax.shift_right_arithmetic(x, y)


def isclose(
    a: Any, b: Any, rtol: Any, atol: Any, equal_nan: bool, *, function: str = "isclose"
) -> Any:
    """Where elements are equal within a tolerance relative to the second."""
    a, b = arguments.broadcast(*promoting.promote(function, a, b))
    if arguments.is_kind(a, Kind.KEY):
        return lax.eq(a, b)
    a, b = promoting.promote_inexact(function, a, b)
    real = dtypes.to_real(arguments.dtype_of(a))
    assert real is not None
    scale = jnp.multiply(promoting.convert(rtol, real), lax.abs(b))
    bound = jnp.add(promoting.convert(atol, real), scale)
    near = jnp.less_equal(lax.abs(lax.sub(a, b)), bound)
    result = jnp.logical_or(lax.eq(a, b), jnp.logical_and(isfinite(b), near))
    if equal_nan:
        result = jnp.logical_or(result, lax.bitwise_and(isnan(a), isnan(b)))
    return result


def array_equal(first: Any, second: Any, equal_nan: bool) -> Any:
    """Whether arrays have one shape and equal elements."""
    a, b = (jnp.asarray(each) for each in (first, second))
    if a.shape != b.shape:
        return promoting.staged(host.np.bool_(False))
    equal = jnp.equal(a, b)
    if equal_nan:
        equal = lax.bitwise_or(equal, lax.bitwise_and(isnan(a), isnan(b)))
    return jnp.all(equal)


def array_equiv(first: Any, second: Any) -> Any:
    """Whether arrays are equal after broadcasting."""
    a, b = jnp.asarray(first), jnp.asarray(second)
    try:
        return jnp.all(jnp.equal(a, b))
    except ValueError:
        return promoting.staged(host.np.bool_(False))


_METHODS = ("auto", "compare_all", "binary_search", "sort")


def isin(element: Any, candidates: Any, invert: bool, method: str) -> Any:
    """Which elements occur in a second array."""
    x, y = promoting.promote_dtypes(arguments.arrays("isin", element, candidates))
    shape = arguments.shape_of(x)
    if method not in _METHODS:
        raise ValueError(f"{method=} is not implemented; options are {', '.join(_METHODS)}")
    x, y = lax.reshape(x, (x.size, 1)), lax.reshape(y, (1, y.size))
    if method in ("auto", "compare_all"):
        found = jnp.any(jnp.equal(x, y), 1)
    elif y.size:
        ranked: Any = lax.sort(lax.reshape(y, (y.size,)))
        place = jnp.searchsorted(ranked, lax.reshape(x, (x.size,)))
        found = jnp.equal(lax.reshape(x, (x.size,)), jnp.take(ranked, place, mode="clip"))
    else:
        found = jnp.zeros(x.size, bool)
    found = lax.reshape(found, shape)
    return lax.bitwise_not(found) if invert else found
