"""Elements chosen by what they are: by a condition, within bounds, in the place of NaN."""

from __future__ import annotations

import math
from typing import Any

from oakum import lax
from oakum import numpy as jnp
from oakum.errors import DTypeError
from oakum.numpy import arguments, comparing, promoting
from oakum.values import host


def where(condition: Any, x: Any, y: Any) -> Any:
    """Elements of one array or another, as a condition tells."""
    arguments.check_arrays("where", condition, x, y)
    x, y = promoting.promote_dtypes_of("where", x, y)
    condition = comparing.truth(arguments.array(condition))
    if condition.ndim == 0:
        x, y = arguments.broadcast(x, y)
        return lax.select(condition, x, y)
    condition, x, y = arguments.broadcast(condition, x, y)
    return lax.select(condition, x, y)


def fmax(x: Any, y: Any) -> Any:
    """The greater of two numbers, or the one that is a number."""
    x, y = arguments.broadcast(x, y)
    first = lax.bitwise_or(comparing.ordered(lax.gt, x, y), comparing.isnan(y))
    return lax.select(first, x, y)


def fmin(x: Any, y: Any) -> Any:
    """The lesser of two numbers, or the one that is a number."""
    x, y = arguments.broadcast(x, y)
    first = lax.bitwise_or(comparing.ordered(lax.lt, x, y), comparing.isnan(y))
    return lax.select(first, x, y)


def clip(array: Any, low: Any, high: Any) -> Any:
    """Numbers limited to an interval."""
    if array is None:
        raise ValueError("No input was provided to the clip function.")
    arguments.check_arrays("clip", array)
    arguments.check_arrays_or_none("clip", low, high)
    given = [each for each in (array, low, high) if each is not None]
    if any(arguments.is_complex(each) for each in given):
        raise DTypeError(
            "Clip received a complex value either through the input or the min/max keywords; "
            "complex numbers have no order",
            hint="Clip the real or the imaginary part.",
        )
    if low is not None:
        array = jnp.maximum(low, array)
    if high is not None:
        array = jnp.minimum(high, array)
    return promoting.staged(array)


def nan_to_num(x: Any, *, nan: Any, posinf: Any, neginf: Any) -> Any:
    """Numbers with others in the place of NaN and infinities."""
    if not arguments.is_inexact(x):
        return promoting.staged(x)
    if arguments.is_complex(x):
        parts = (
            nan_to_num(part, nan=nan, posinf=posinf, neginf=neginf)
            for part in (lax.real(x), lax.imag(x))
        )
        return lax.complex(*parts)
    dtype = arguments.dtype_of(x)
    info = host.ml_dtypes.finfo(host.dtype(dtype))
    above = info.max if posinf is None else posinf
    below = info.min if neginf is None else neginf
    result = where(comparing.isnan(x), promoting.convert(nan, dtype), x)
    infinity = promoting.constant(math.inf, dtype)
    result = where(lax.eq(result, infinity), promoting.convert(above, dtype), result)
    return where(lax.eq(result, lax.neg(infinity)), promoting.convert(below, dtype), result)


def heaviside(x: Any, at_zero: Any) -> Any:
    """Returns the unit step, with `at_zero` at zero; NaN stays NaN.

    The result is weakly typed for a weakly typed scalar alone, as in JAX.
    """
    if arguments.rank_of(x):
        x = promoting.convert(x, arguments.dtype_of(x))
    x, at_zero = arguments.broadcast(x, at_zero)
    zero = promoting.like(x, 0)
    middle = lax.select(comparing.isnan(x), x, at_zero)
    right = lax.select(lax.gt(x, zero), lax.full_like(x, 1), middle)
    return lax.select(lax.lt(x, zero), lax.full_like(x, 0), right)
