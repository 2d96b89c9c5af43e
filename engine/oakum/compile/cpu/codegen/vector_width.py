"""Vector widths of nests.

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
from oakum.compile.native.target import Target


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
    varies: list[bool] = []
    for each in sweep.instructions:
        match each:
            case Load(_, offset, dynamic):
                moves = offset.coefficient(axis) != 0
                varies.append(moves or (dynamic is not None and varies[dynamic]))
            case Position(value, _):
                varies.append(value.coefficient(axis) != 0)
            case Operation(_, operands, _, _):
                varies.append(any(varies[n] for n in operands))
            case _:
                varies.append(False)
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
