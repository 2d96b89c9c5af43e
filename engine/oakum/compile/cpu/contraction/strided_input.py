"""Phases: convolutions of images that are spread, without the zeros between their elements.

Each place of the result sees elements of the image through some of the taps only: which ones
depends on the rest of the place by the spread. Places of one rest, a phase, are a convolution of
the image itself with every so many taps. The phases of one band share its copy.
"""

from __future__ import annotations

import math

from oakum.compile.llvm.llvm_function import Function, Index
from oakum.compile.problems.contraction import Contraction, Convolution, Window
from oakum.values.records import dataclass, replace


def in_phases(convolution: Convolution) -> Convolution:
    """Returns the convolution of the phases: its windows have the taps and the places of the
    first.
    """
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
    """Returns the number of phases."""
    return math.prod(window.phases for window in convolution.windows)


def phase(
    f: Function,
    convolution: Convolution,
    problem: Contraction,
    strides: tuple[int, ...],
    number: Index,
) -> Phase:
    """Writes what is different in the phase of a number; the strides are those of the copy."""
    lhs: Index = 0
    rhs: Index = 0
    packed: Index = 0
    result: Index = 0
    row: Index = 0
    rates: list[int] = summed_rates(convolution)
    turns: dict[tuple[int, int], Index] = {}
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
        seen = f.binary("udiv", f.sub(f.add(digit, tap), above), spread)
        lhs = f.add_index(lhs, f.mul_index(seen, strides[place]))
        rhs = f.add_index(rhs, f.mul_index(tap, whole.rhs))
        packed = f.add_index(packed, f.mul_index(tap, rates[place]))
        result = f.add_index(result, f.mul_index(digit, whole.result))
        others = math.prod(result_places(other) for other in convolution.windows[place + 1 :])
        row = f.add_index(row, f.mul_index(digit, others))
        if whole.taps % spread:
            turns[window.taps, strides[place]] = f.binary(
                "udiv", f.sub(f.index(whole.taps + spread - 1), tap), spread
            )
    counts = tuple(turns.get((axis.extent, axis.lhs), axis.extent) for axis in problem.summed)
    return Phase(lhs, rhs, packed, result, row, counts)


def summed_rates(convolution: Convolution) -> list[int]:
    """How many summed places lie between the taps of each spatial axis, all of them in a row."""
    taps = [_taps(window) for window in convolution.windows]
    return [
        math.prod(taps[place + 1 :]) * convolution.features.extent for place in range(len(taps))
    ]


def row_numbers(convolution: Convolution) -> tuple[int, ...]:
    """How far apart the numbers of the places of a phase are, along each spatial axis."""
    windows = convolution.windows
    return tuple(
        window.phases * math.prod(result_places(other) for other in windows[place + 1 :])
        for place, window in enumerate(windows)
    )


def _taps(window: Window) -> int:
    return window.taps if window.whole is None else window.whole.taps


def result_places(window: Window) -> int:
    """Returns the places of all phases."""
    return window.places if window.whole is None else window.whole.places
