# pyright: basic
# Arrays of dtypes that NumPy does not know have no types for the strict mode.
"""Random programs, compiled and evaluated."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from tests.engine.agreement_values import Chance

from oakum import host
from oakum.compile.executable import Executable
from oakum.dtypes import Kind
from oakum.ir import ClosedJaxpr, Jaxpr, run_closed
from oakum.staging import stage


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


def differences(
    closed: ClosedJaxpr,
    raws: Sequence[Any],
    near: Callable[[Any], float] = lambda dtype: 0.0,
    *,
    signed_zeros: bool = True,
) -> list[str]:
    """Compiles, runs and evaluates a program; says what differs: of floats more than so many that
    lie between, or the signs of zeros.
    """
    before = [np.array(raw, copy=True) for raw in raws]
    with np.errstate(all="ignore"):
        program = Executable(closed)
        first = program(raws)
        wanted = run_closed(np, closed, raws)
    found: list[str] = []
    for place, (actual, given) in enumerate(zip(first, wanted, strict=True)):
        expected = np.asarray(given)
        if not signed_zeros:
            actual, expected = (x + np.zeros((), x.dtype) for x in (actual, expected))
        what = difference(actual, expected, near(actual.dtype))
        if what:
            found.append(f"result {place}: {what}")
    for place, (raw, copy) in enumerate(zip(raws, before, strict=True)):
        if np.ascontiguousarray(raw).tobytes() != copy.tobytes():
            found.append(f"argument {place} was written to")
    return found


def difference(actual: Any, expected: Any, near: float) -> str:
    """How an array differs from another; nothing where it does not."""
    if (actual.dtype, actual.shape) != (expected.dtype, expected.shape):
        return f"{actual.dtype}{actual.shape} for {expected.dtype}{expected.shape}"
    if actual.dtype.kind == "V" and actual.dtype.isbuiltin != 2:
        return "" if actual.tobytes() == expected.tobytes() else "other keys"
    kind = host.read_dtype(actual.dtype).kind
    if kind not in (Kind.FLOAT, Kind.COMPLEX):
        wrong = actual != expected
    elif kind is Kind.COMPLEX and near:
        wrong = _far_apart(actual, expected, near)
    elif kind is Kind.COMPLEX:
        parts = [
            difference(getattr(actual, p), getattr(expected, p), near) for p in ("real", "imag")
        ]
        return "; ".join(each for each in parts if each)
    else:
        with np.errstate(all="ignore"):
            wrong = _distance(actual, expected) > near
    if not np.any(wrong):
        return ""
    place = tuple(int(x) for x in np.argwhere(wrong)[0])
    return (
        f"{int(np.sum(wrong))} of {actual.size} in {actual.dtype}{list(actual.shape)} differ, "
        f"first at {place}: {actual[place]!r} for {expected[place]!r}"
    )


def _far_apart(x: Any, y: Any, near: float) -> Any:
    """Whether complex numbers differ by more than so many floats of the larger part's size, or in
    what is no number; all that have an infinite part are one infinity, as in C.
    """
    pairs = [(x.real, y.real), (x.imag, y.imag)]
    info = np.finfo(x.dtype)
    with np.errstate(all="ignore"):
        sizes = [np.where(np.isfinite(part), np.abs(part), 0) for _, part in pairs]
        bound = near * (np.maximum(*sizes) * info.eps + info.smallest_subnormal)
        close = [(a == b) | ((a != a) & (b != b)) | (np.abs(a - b) <= bound) for a, b in pairs]
    infinite = [np.isinf(each.real) | np.isinf(each.imag) for each in (x, y)]
    return ~(close[0] & close[1] | infinite[0] & infinite[1])


def _distance(x: Any, y: Any) -> Any:
    """How many floats lie between two, counted by their bits; zeros of both signs are far apart."""
    bits = np.dtype(f"u{x.dtype.itemsize}")
    top = bits.type(1 << (8 * bits.itemsize - 1))

    def order(raw: Any) -> Any:
        words = np.ascontiguousarray(raw).view(bits).reshape(raw.shape)
        return np.where(words & top, ~words, words | top)

    a, b = order(x), order(y)
    distance = (np.maximum(a, b) - np.minimum(a, b)).astype(np.float64)
    nans = (x != x).astype(int) + (y != y)
    distance = np.where(nans == 2, 0.0, np.where(nans == 1, np.inf, distance))
    zeros = (x == 0) & (y == 0) & (np.signbit(x) != np.signbit(y))
    return np.where(zeros, np.inf, distance)
