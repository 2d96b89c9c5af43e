"""Phases: convolutions of images that are spread, without the zeros between their elements.

Each place of the result sees elements of the image through some of the taps only: which ones
depends on the rest of the place by the spread. Places of one rest, a phase, are a convolution of
the image itself with every so many taps. The phases of one band share its copy.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from oakum.compile.contraction.convolution import Convolution, Window
from oakum.compile.contraction.problem import Axis, Contraction
from oakum.compile.emit import Function, Index


def in_phases(convolution: Convolution) -> Convolution:
    """The convolution of the phases: its windows have the taps and the places of the first."""
    return replace(convolution, windows=tuple(_phased(window) for window in convolution.windows))


def _phased(window: Window) -> Window:
    spread = window.spread
    fits = window.stride == window.reach == 1 and window.taps >= spread
    if spread == 1 or not fits or window.places % spread:
        return window
    return Window(
        size=window.size,
        taps=-(-window.taps // spread),
        places=window.places // spread,
        stride=1,
        low=window.low // spread,
        spread=1,
        reach=1,
        lhs=window.lhs,
        rhs=spread * window.rhs,
        result=spread * window.result,
        phases=spread,
        whole=window,
    )


@dataclass(frozen=True, slots=True)
class Phase:
    """What differs between phases, while code for all of them is written."""

    lhs: Index
    """How far the first element is that is seen, in the copy."""
    rhs: Index
    """And the first tap, in the filters."""
    packed: Index
    """And in packed filters, in summed places."""
    result: Index
    """And the first place, in the result."""
    row: Index
    """The number of that place."""
    counts: tuple[Index, ...]
    """The turns of the summed loops."""


def phase_count(convolution: Convolution) -> int:
    """The number of phases."""
    return math.prod(window.phases for window in convolution.windows)


def phase(
    f: Function, convolution: Convolution, problem: Contraction, strides: tuple[int, ...], number: Index
) -> Phase:
    """Writes what is different in the phase of a number; the strides are those of the copy."""
    lhs: Index = 0
    rhs: Index = 0
    packed: Index = 0
    result: Index = 0
    row: Index = 0
    turns: dict[Axis, Index] = {}
    for place in reversed(range(len(strides))):
        window = convolution.windows[place]
        whole = window.whole
        if whole is None:
            continue
        # Of the first place of the phase: the first tap that meets an element, and which one.
        spread = window.phases
        digit = f.binary("urem", f.index(number), spread)
        number = f.binary("udiv", f.index(number), spread)
        above = whole.low % spread
        tap = f.binary("urem", f.sub(f.index(above + spread), digit), spread)
        # Elements are counted from the one that the first phase begins with, or the one after.
        seen = f.binary("udiv", f.add(f.sub(f.add(digit, tap), above), spread), spread)
        lhs = f.plus(lhs, f.times(f.sub(seen, 1 if above == 0 else 1), strides[place]))
        rhs = f.plus(rhs, f.times(tap, whole.rhs))
        inner = math.prod(_taps(other) for other in convolution.windows[place + 1 :])
        packed = f.plus(packed, f.times(tap, inner * convolution.features.extent))
        result = f.plus(result, f.times(digit, whole.result))
        others = math.prod(_places(other) for other in convolution.windows[place + 1 :])
        row = f.plus(row, f.times(digit, others))
        if whole.taps % spread:
            axis = Axis(window.taps, lhs=strides[place], rhs=window.rhs)
            turns[axis] = f.binary("udiv", f.sub(f.index(whole.taps + spread - 1), tap), spread)
    counts = tuple(turns.get(axis, axis.extent) for axis in problem.summed)
    return Phase(lhs, rhs, packed, result, row, counts)


def _taps(window: Window) -> int:
    return window.taps if window.whole is None else window.whole.taps


def _places(window: Window) -> int:
    return window.places if window.whole is None else window.whole.places
