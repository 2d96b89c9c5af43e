"""Schedules: the vectorised axis of a nest, the width of its vectors, and the parallel axis.

A schedule changes the speed of a nest and the order of its sums, never what it means.

Several registers are used together where an instruction would wait for the one before, as long as
the code does not get too long.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from oakum.compile.loops.interleaved_access import PAIR, interleaved_accesses
from oakum.compile.loops.loop_ir import Instruction, Load, Nest, Operation, Position, Sweep
from oakum.compile.loops.operations import is_heavy, weight
from oakum.compile.loops.ordered_axes import ordered_axes, varying_along
from oakum.compile.native.target import Target
from oakum.values.records import dataclass


@dataclass(frozen=True, slots=True)
class Schedule:
    """How a nest is carried out."""

    axis: int | None
    """The vectorised axis; None for scalars."""
    width: int
    """The lanes of its widest vectors."""
    widths: tuple[int, ...]
    """The lanes in each sweep; they differ if the axis is an inner one."""
    block: int | None
    """The number of columns reduced together, row by row; None if each is reduced on its own."""
    order: tuple[int, ...]
    """The outer axes, outermost first."""
    parallel: int | None
    """The outer axis that threads share; None if they do not."""
    across: int | None
    """The axis along which loads are contiguous, if stores are contiguous along another: squares of
    both are transposed in registers.
    """
    unit: int
    """Threads get multiples of so many positions."""
    cost_ns: float
    """The estimated time of the nest on one thread."""


def schedule(nest: Nest, target: Target) -> Schedule:
    """Returns the schedule of a nest on a machine."""
    bound = ordered_axes(nest)
    axis = _vector_axis(nest, bound)
    widths = widths_of(nest, axis, target)
    width = max(widths, default=1)
    cost = _cost(nest, width)
    order = nest.outer
    if axis is not None and axis in nest.outer:
        order = (*[a for a in nest.outer if a != axis], axis)
    across = None if axis is None else _across(nest, axis, target, bound)
    if across is not None:
        assert axis is not None
        width = _side(_largest(nest), target)
        widths = (width,)
        order = (*[a for a in order if a not in (axis, across)], axis, across)
    parallel = None
    if cost > _PARALLEL_NS and order and nest.extents[order[0]] >= 4 and order[0] not in bound:
        parallel = order[0]
    block = None if axis is None or across is not None else _block(nest, axis, width)
    unit = width if across is None else _SQUARES
    if block is not None:
        assert axis is not None
        unit = max(min(block, nest.extents[axis] // _SHARES) // width, 1) * width
    return Schedule(axis, width, widths, block, order, parallel, across, unit, cost)


_SQUARES: Final = 64
"""Threads get multiples of so many positions where squares are transposed: the block of
`transpose_tiles`.
"""

_SHARES: Final = 8
"""Columns reduced together are split for at most this many threads, so that each has wide rows. By
judgement, for up to eight cores.
"""


def _across(nest: Nest, axis: int, target: Target, bound: frozenset[int]) -> int | None:
    """Returns the axis along which loads are contiguous, if it is not the vectorised one."""
    if len(nest.sweeps) != 1 or nest.sweeps[0].axes or nest.sweeps[0].reduces:
        return None
    (sweep,) = nest.sweeps
    size = _largest(nest)
    lanes = _side(size, target)
    if size > 8 or nest.extents[axis] < lanes:
        return None
    for each in sweep.instructions:
        if isinstance(each, Load) and abs(each.offset.coefficient(axis)) > 1:
            for other, step in each.offset.terms:
                fits = nest.extents[other] >= lanes and each.dtype.itemsize == size
                if step == 1 and fits and other not in bound:
                    return other
    return None


def _side(size: int, target: Target) -> int:
    """Returns the side of the squares transposed in registers; small elements use half registers,
    whose lanes one instruction interleaves.
    """
    return (target.vector_bytes if size >= 4 else _HALF) // size


_HALF: Final = 16
"""The bytes of an SSE register, in which lanes of two vectors are interleaved by one instruction.
"""


def _largest(nest: Nest) -> int:
    """Returns the bytes of the largest element in memory."""
    return max(buffer.dtype.itemsize for buffer in nest.buffers)


_PARALLEL_NS: Final = 60_000.0
"""The least work (in ns) that is shared among threads: twice a chunk (`step_writer._CHUNK_NS`), so
that each of two threads gets one.
"""


def _vector_axis(nest: Nest, bound: frozenset[int]) -> int | None:
    """Returns the axis along which most accesses are contiguous."""
    scores: dict[int, float] = {}
    for sweep in nest.sweeps:
        axes = (*nest.outer, *sweep.axes)
        count = math.prod(nest.extents[a] for a in axes)
        for axis in axes:
            if nest.extents[axis] == 1:
                continue
            for step, factor in _steps(sweep, axis):
                worth = _INTERLEAVED if step >= PAIR else _WORTH.get(step, 0.0)
                if worth:
                    scores[axis] = scores.get(axis, 0.0) + factor * count * worth
    candidates = [a for a in scores if _is_long(nest, a) and a not in bound]
    if not candidates:
        return None
    return max(candidates, key=lambda a: (scores[a], a not in nest.outer, a))


_WORTH: Final = {0: 0.3, 1: 1.0, -1: 1.0}
"""The worth of vectors along an axis, by the stride of an access: contiguous accesses are whole
loads; a stride of 0 saves a load but fills no register from memory. By judgement.
"""

_INTERLEAVED: Final = 0.7
"""The worth of an interleaved access: a load and a shuffle. Half and double choose the same axes
for colours and pairs.
"""

_FEWEST: Final = 4
"""Shorter axes are not vectorised. At half, rows of 3 are 2.5 times slower; at double, rows of 6
are 12% faster, vectorised along the other axis.
"""


def _is_long(nest: Nest, axis: int) -> bool:
    return nest.extents[axis] >= _FEWEST and _is_common(nest, axis)


def _is_common(nest: Nest, axis: int) -> bool:
    """Returns whether all sweeps with loops can be vectorised along an axis."""
    if axis in nest.outer:
        # A stage holds one row: the rows are done one after the other.
        return all(buffer.role != "stage" for buffer in nest.buffers)
    return all(axis in sweep.axes for sweep in nest.sweeps if sweep.axes)


def _steps(sweep: Sweep, axis: int) -> list[tuple[int, float]]:
    """Returns the strides of accesses along an axis with their weights, without those that leave
    gaps.
    """
    loads = [each for each in sweep.instructions if isinstance(each, Load)]
    positions = [each.value for each in sweep.instructions if isinstance(each, Position)]
    filled = interleaved_accesses([sweep], axis)
    found = [(each.offset.coefficient(axis), each, 1.0) for each in loads]
    found += [(each.offset.coefficient(axis), each, 2.0) for each in sweep.stores]
    steps = [
        (step, factor)
        for step, each, factor in found
        if step < PAIR or each in filled or (step == PAIR and isinstance(each, Load))
    ]
    return [*steps, *[(min(value.coefficient(axis), 1), 0.1) for value in positions]]


_NEAR: Final = 1 << 14
"""The bytes of cache lines up to which columns are reduced one vector after another, because the
lines are still in the first cache for the next vector. Measured: 192 rows are 2.2 times faster at
half of this, and 384 rows 2.2 times slower at double, so it is too large for rows that lie 8 KiB
apart. Lowering it changes the order of sums.
"""

_LINE: Final = 64
"""The bytes of a cache line."""

_BLOCK_BYTES: Final = 1 << 18
"""The bytes that several sweeps go over together, half of the second cache. Softmax of columns
changes by up to 5% at half and double.
"""

_MOST_COLUMNS: Final = 1024
"""The most columns reduced together: 4 KiB of f32 totals, an eighth of the first cache. Half
and double are within 5% for 2048 x 4096.
"""


def _block(nest: Nest, axis: int, width: int) -> int | None:
    """Returns how many columns are reduced together."""
    looping = [sweep for sweep in nest.sweeps if sweep.axes]
    if axis not in nest.outer or not looping:
        return None
    rows = max(math.prod(nest.extents[a] for a in sweep.axes) for sweep in looping)
    loads = {
        each.offset: each.dtype.itemsize
        for sweep in looping
        for each in sweep.instructions
        if isinstance(each, Load) and each.offset.coefficient(axis)
    }
    if rows * _LINE * len(loads) <= _NEAR:
        return None
    most = _MOST_COLUMNS
    if len(looping) > 1:
        most = min(most, max(_BLOCK_BYTES // (rows * sum(loads.values())), 64))
    return max(min(most, nest.extents[axis]) // width, 1) * width


_SHORT: Final = 1 << 12
"""Elements below which elementary functions are called rather than written in line: in line, LLVM
takes longer by about a thousand times what it saves per element and call, so with a thousand calls
it pays above this.
"""

_MANY: Final = 24
"""The most elementary functions in line in one nest: with more, a call costs little beside them."""


def is_short(nest: Nest, iterations: float) -> bool:
    """Returns whether a nest, carried out so many times per call of the program, calls elementary
    functions rather than having them in line.
    """
    functions, elements = 0, 0.0
    outer = math.prod(nest.extents[a] for a in nest.outer)
    for sweep in nest.sweeps:
        count = outer * math.prod(nest.extents[a] for a in sweep.axes)
        heavy = sum(map(is_heavy, sweep.instructions))
        functions += heavy
        elements = max(elements, count * bool(heavy))
    return functions > _MANY or elements * iterations < _SHORT


def _cost(nest: Nest, width: int) -> float:
    total = 0.0
    outer = math.prod(nest.extents[a] for a in nest.outer)
    for sweep in nest.sweeps:
        count = outer * math.prod(nest.extents[a] for a in sweep.axes)
        each = _of_element(sweep.instructions)
        each += 0.15 * (len(sweep.stores) + len(sweep.reduces))
        total += count * each * (1 if width > 1 else 4)
    return total


def _of_element(instructions: Sequence[object]) -> float:
    cost = 0.0
    for each in instructions:
        if isinstance(each, Operation):
            cost += weight(each.name)
        elif isinstance(each, Load) and each.offset.terms:
            cost += 0.12 if each.dynamic is None else 1.0
    return cost


def widths_of(nest: Nest, axis: int | None, target: Target) -> tuple[int, ...]:
    """Returns the lanes of each sweep."""
    if axis is None:
        return (1,) * len(nest.sweeps)
    if axis in nest.outer:
        looping = [sweep for sweep in nest.sweeps if sweep.axes]
        return (_width(nest, looping or nest.sweeps, axis, target),) * len(nest.sweeps)
    return tuple(
        _width(nest, [sweep], axis, target) if axis in sweep.axes else 1 for sweep in nest.sweeps
    )


def _width(nest: Nest, sweeps: Sequence[Sweep], axis: int, target: Target) -> int:
    """Returns lanes that fill a register, or several if there is little work on each."""
    instructions = [each for sweep in sweeps for each in _in_lanes(sweep, axis)]
    largest = max((each.dtype.itemsize for each in instructions if each.dtype.bits > 8), default=1)
    lanes = target.vector_bytes // min(max(largest, 4), 8)
    operations = [each for each in instructions if isinstance(each, Operation)]
    heavy = any(map(is_heavy, instructions))
    reduces = sum(len(sweep.reduces) for sweep in sweeps)
    several = 1 if len(operations) > 24 else 2 if len(operations) > 8 else 4
    looked_up = any(isinstance(x, Load) and x.dynamic is not None for x in instructions)
    if looked_up and len(operations) <= _OPERATIONS_AT_ONCE:
        several = 4  # What is looked up takes its time to come, and more lanes wait at once.
    if heavy:
        several = min(several, _several_at_once(operations, math.prod(nest.extents)))
    if reduces == 1 and axis not in nest.outer and not heavy:
        several = max(several, 4)
    if any(each.offset.coefficient(axis) > PAIR for each in interleaved_accesses(sweeps, axis)):
        several = 1  # Several of them together are several vectors already.
    width = lanes * several
    extent = nest.extents[axis]
    while width > 2 and width > extent:
        width //= 2
    return width


def _in_lanes(sweep: Sweep, axis: int) -> list[Instruction]:
    """Returns the instructions that differ along an axis, and those that are stored or reduced
    along it; all others are done once for all lanes.
    """
    varies = varying_along(sweep, axis)
    for each in (*sweep.stores, *sweep.reduces, *sweep.keeps):
        varies[each.register] = True
    return [each for each, differs in zip(sweep.instructions, varies, strict=True) if differs]


def _several_at_once(operations: Sequence[Operation], elements: int) -> int:
    """Returns how many vectors elementary functions are computed of together: within one vector
    each instruction waits for the one before, but more code takes longer to compile.
    """
    cost = sum(weight(each.name) for each in operations if is_heavy(each))
    if elements < _ELEMENTS_AT_ONCE or cost > _NS_AT_ONCE:
        return 1
    return 4 if cost <= _SHORT_NS else 2


_ELEMENTS_AT_ONCE: Final = 1 << 13
"""Below so many elements functions are computed of one vector at a time, which compiles sooner.
Measured: several at a time are 13% faster for 6144 `exp` (0.5 us), 7% for 12288.
"""

_NS_AT_ONCE: Final = 8.0
"""Functions that cost more per element are computed of one vector at a time: their own steps
overlap. Half and double are within 1% for 6 and 10 functions.
"""

_SHORT_NS: Final = 1.0
"""Functions up to this cost are computed of four vectors at a time, longer ones of two. Half
and double are within 2% for `exp`, `tanh(exp)` and `pow`.
"""

_OPERATIONS_AT_ONCE: Final = 160
"""The most operations on four vectors of gathered elements. Half and double are within 2%."""
