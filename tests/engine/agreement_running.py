# pyright: basic
# Arrays of dtypes that NumPy does not know have no types for the strict mode.
"""Random programs, compiled and evaluated."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from tests.engine.agreement_values import Chance

from oakum.compile.executable import Executable
from oakum.dtypes import Kind
from oakum.tracing.ir import ClosedJaxpr, Jaxpr, run_closed
from oakum.tracing.jaxpr_trace import stage
from oakum.values import host


def traced(chance: Chance, function: Callable[[], Sequence[Any]]) -> tuple[ClosedJaxpr, list[Any]]:
    """A program of arrays that its function makes, most of which become arguments; these too."""
    closed = stage(function, [])
    pairs = list(zip(closed.jaxpr.constvars, closed.consts, strict=True))
    rare = chance.often(0.2)
    kept = [(v, c) for v, c in pairs if rare and chance.often(0.5)]
    given = [(v, c) for v, c in pairs if all(v is not other for other, _ in kept)]
    old = closed.jaxpr
    jaxpr = Jaxpr([v for v, _ in kept], [v for v, _ in given], old.outvars, old.eqns, old.name)
    return ClosedJaxpr(jaxpr, [c for _, c in kept]), [c.raw for _, c in given]


@dataclass(frozen=True)
class Near:
    """How near results have to be: so many floats may lie between."""

    floats: float = 0.0
    beside: str = "itself"
    """What errors are small against: the number itself, or `one`, or the `largest` of all."""
    signed_zeros: bool = True


EXACT = Near()


def differences(closed: ClosedJaxpr, raws: Sequence[Any], near: Near = EXACT) -> list[str]:
    """Compiles, runs and evaluates a program; says what differs."""
    before = [np.array(raw, copy=True) for raw in raws]
    with np.errstate(all="ignore"):
        first = Executable(closed)(raws)
        wanted = run_closed(np, closed, raws)
    found: list[str] = []
    for place, (actual, given) in enumerate(zip(first, wanted, strict=True)):
        what = difference(actual, np.asarray(given), near)
        if what:
            found.append(f"result {place}: {what}")
    for place, (raw, copy) in enumerate(zip(raws, before, strict=True)):
        if np.ascontiguousarray(raw).tobytes() != copy.tobytes():
            found.append(f"argument {place} was written to")
    return found


def difference(actual: Any, expected: Any, near: Near = EXACT) -> str:
    """How an array differs from another; nothing where it does not."""
    if (actual.dtype, actual.shape) != (expected.dtype, expected.shape):
        return f"{actual.dtype}{actual.shape} for {expected.dtype}{expected.shape}"
    if actual.dtype.kind == "V" and actual.dtype.isbuiltin != 2:
        return "" if actual.tobytes() == expected.tobytes() else "other keys"
    kind = host.read_dtype(actual.dtype).kind
    with np.errstate(all="ignore"):
        if kind is Kind.COMPLEX:
            scale = np.abs(expected)
            real, imag = (
                _distance(getattr(actual, p), getattr(expected, p), near, scale) for p in _PARTS
            )
            wrong = np.maximum(real, imag) > near.floats
            if near.floats:
                # Nobody agrees on which part is NaN, and all infinities are one, as in C.
                wrong &= ~(np.isnan(actual) & np.isnan(expected))
                wrong &= ~(np.isinf(actual) & np.isinf(expected))
        elif kind is Kind.FLOAT:
            wrong = _distance(actual, expected, near) > near.floats
        else:
            wrong = actual != expected
    if not np.any(wrong):
        return ""
    place = tuple(int(x) for x in np.argwhere(wrong)[0])
    return (
        f"{int(np.sum(wrong))} of {actual.size} in {actual.dtype}{list(actual.shape)} differ, "
        f"first at {place}: {actual[place]!r} for {expected[place]!r}"
    )


_PARTS = ("real", "imag")


def _distance(x: Any, y: Any, near: Near, scale: Any = None) -> Any:
    """How many floats lie between two; infinite where one is NaN, or zeros have other signs."""
    if not near.floats or (near.beside == "itself" and scale is None):
        distance = _bits_between(x, y)
    else:
        size = np.abs(y) if scale is None else scale
        if near.beside == "one":
            size = np.maximum(size, 1)
        elif near.beside == "largest":
            size = np.full(y.shape, np.max(size[np.isfinite(size)], initial=0), size.dtype)
        same = (x == y) | ~np.isfinite(size)
        apart = np.abs(x.astype("float64") - y.astype("float64"))
        distance = np.where(same, 0.0, apart / np.spacing(size.astype(x.dtype)).astype("float64"))
        infinite = np.isinf(x) | np.isinf(y)
        distance = np.where(infinite & (x != y), np.inf, distance)
    nans = (x != x).astype(int) + (y != y)
    distance = np.where(nans == 2, 0.0, np.where(nans == 1, np.inf, distance))
    zeros = (x == 0) & (y == 0)
    unlike = near.signed_zeros & (np.signbit(x) != np.signbit(y))
    return np.where(zeros, np.where(unlike, np.inf, 0.0), distance)


def _bits_between(x: Any, y: Any) -> Any:
    bits = np.dtype(f"u{x.dtype.itemsize}")
    top = bits.type(1 << (8 * bits.itemsize - 1))

    def order(raw: Any) -> Any:
        words = np.ascontiguousarray(raw).view(bits).reshape(raw.shape)
        return np.where(words & top, ~words, words | top)

    a, b = order(x), order(y)
    return (np.maximum(a, b) - np.minimum(a, b)).astype("float64")
