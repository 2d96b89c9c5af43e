"""Rounding: down, up, toward zero, to the nearest, to a number of decimals."""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable
from typing import Any

from oakum import dtypes, lax
from oakum.dtypes import Kind
from oakum.numpy import arguments, promoting, statics
from oakum.values import host


def to_whole(function: str, x: Any, rounded: Callable[[Any], Any]) -> Any:
    """Whole numbers by a way of rounding; integers stay as they are."""
    (x,) = arguments.arrays(function, x)
    if arguments.is_kind(x, Kind.BOOL, Kind.INT, Kind.UINT):
        return promoting.staged(x)
    return rounded(x)


def toward_zero(x: Any) -> Any:
    """Floats rounded toward zero."""
    return lax.select(lax.lt(x, promoting.like(x, 0)), lax.ceil(x), lax.floor(x))


def nearest(x: Any) -> Any:
    """Floats rounded to the nearest whole number, ties to even."""
    return lax.round(x, lax.RoundingMethod.TO_NEAREST_EVEN)


def rint(x: Any) -> Any:
    """Numbers rounded to the nearest whole number, as floats."""
    if arguments.is_complex(x):
        return lax.complex(nearest(lax.real(x)), nearest(lax.imag(x)))
    if not arguments.is_inexact(x):
        return arguments.convert(x, arguments.inexact(dtypes.bool_))
    return nearest(x)


def round_to(function: str, a: Any, decimals: Any, out: Any) -> Any:
    """Numbers rounded to a number of decimals."""
    (x,) = arguments.arrays(function, a)
    places = statics.integer(decimals, "'decimals' argument of jnp.round")
    arguments.refuse_out("jnp.round", out)
    if arguments.is_kind(x, Kind.INT, Kind.UINT):
        if places < 0:
            raise NotImplementedError("integer np.round not implemented for decimals < 0")
        return promoting.staged(x)
    if arguments.is_complex(x):
        return lax.complex(_to_places(lax.real(x), places), _to_places(lax.imag(x), places))
    return _to_places(x, places)


def _to_places(x: Any, places: int) -> Any:
    if places == 0:
        return nearest(x)
    dtype = arguments.dtype_of(x)
    if places > math.log10(builtins.float(host.ml_dtypes.finfo(host.dtype(dtype)).max)):
        return promoting.staged(x)
    wide = arguments.convert(x, dtypes.float32) if dtype is dtypes.float16 else x
    factor = promoting.like(wide, 10.0**places)
    rounded = lax.div(nearest(lax.mul(wide, factor)), factor)
    return arguments.convert(rounded, dtype, bool(x.aval.weak_type))


def modf(x: Any) -> tuple[Any, Any]:
    """The fractional and the whole part."""
    whole = toward_zero(x)
    return lax.sub(x, whole), whole
