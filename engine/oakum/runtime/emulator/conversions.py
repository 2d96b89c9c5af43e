"""Conversions and comparisons: `cvt`, `setp` and `testp`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from oakum.runtime.emulator.ptx_types import UnknownInstructionError, dtype_of, is_float, is_signed
from oakum.values import host


def conversion(modifiers: Sequence[str], to: str, source: str) -> Callable[[Any], Any]:
    """Returns what `cvt` computes."""
    to_integer = not is_float(to)
    if is_float(source):
        rounding = _ROUNDINGS.get(next((m for m in modifiers if m in _ROUNDINGS), ""))
        if to_integer:
            return lambda x: _to_integer(x if rounding is None else rounding(x), to)
        if rounding is not None:
            return lambda x: rounding(x).astype(dtype_of(to))
        return lambda x: x.astype(dtype_of(to))
    if "sat" in modifiers and to_integer:
        raise UnknownInstructionError("not emulated: saturating conversions of integers")
    return lambda x: x.astype(dtype_of(to))


_ROUNDINGS: Final[dict[str, Callable[[Any], Any]]] = {
    "rni": lambda x: host.np.rint(x),
    "rzi": lambda x: host.np.trunc(x),
    "rmi": lambda x: host.np.floor(x),
    "rpi": lambda x: host.np.ceil(x),
}


def _to_integer(x: host.Array, to: str) -> Any:
    """Returns the nearest integer in range; NaN is zero."""
    np, kind = host.np, dtype_of(to)
    limits = np.iinfo(kind)
    wide = x.astype(np.float64)
    over, under, nan = wide >= float(limits.max), wide <= float(limits.min), np.isnan(wide)
    inside = np.where(over | under | nan, 0, wide).astype(kind)
    clipped = np.where(over, kind.type(limits.max), inside)
    clipped = np.where(under, kind.type(limits.min), clipped)
    return np.where(nan, kind.type(0), clipped).astype(kind)


def comparison(relation: str, type: str) -> Callable[[Any, Any], Any]:
    """Returns what `setp` computes."""
    np = host.np
    plain = _RELATIONS.get(relation)
    if relation in ("nan", "num"):
        unordered = relation == "nan"
        return lambda a, b: (np.isnan(a) | np.isnan(b)) == unordered
    if plain is not None:
        if relation == "ne" and is_float(type):
            return lambda a, b: (a != b) & ~(np.isnan(a) | np.isnan(b))
        return plain
    if relation[-1] == "u" and relation[:-1] in _RELATIONS and not is_signed(type):
        ordered = _RELATIONS[relation[:-1]]
        return lambda a, b: ordered(a, b) | np.isnan(a) | np.isnan(b)
    raise UnknownInstructionError(f"not emulated: setp.{relation}")


_RELATIONS: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
    "lo": lambda a, b: a < b,
    "ls": lambda a, b: a <= b,
    "hi": lambda a, b: a > b,
    "hs": lambda a, b: a >= b,
}

CLASSES: Final[dict[str, Callable[[Any], Any]]] = {
    "finite": lambda x: host.np.isfinite(x),
    "infinite": lambda x: host.np.isinf(x),
    "number": lambda x: ~host.np.isnan(x),
    "notanumber": lambda x: host.np.isnan(x),
}
"""What `testp` asks of floats."""
