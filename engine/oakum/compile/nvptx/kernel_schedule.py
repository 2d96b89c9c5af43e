"""Schedules of kernels: which threads go over which axes of a nest.

- points: a thread does a position of the outer axes, or several side by side, and all inner axes;
- rows: a block, or some lanes of a warp, do a position of the outer axes, and share an inner axis
  along which memory is contiguous;
- columns: threads lie side by side along an outer axis along which memory is contiguous, and rows
  of threads share an inner axis;
- squares: a block does a square of two outer axes, along one of which some loads are contiguous,
  and the other accesses along the other; these loads go through shared memory.

Axes whose positions have to be done in order are gone through by one thread.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Final, Literal

from oakum.compile.loops.loop_ir import (
    Affine,
    Buffer,
    Constant,
    Load,
    Nest,
    Operation,
    Store,
    Sweep,
)
from oakum.compile.loops.ordered_axes import varying_along
from oakum.compile.nvptx.codegen.gpu_kernel import WARP
from oakum.compile.nvptx.scatter_updates import are_updates, axes_in_order
from oakum.values.records import dataclass

KindOfSchedule = Literal["points", "rows", "columns", "squares"]

ACCESS: Final = 16
"""The bytes that a thread loads or stores at most at a time."""

_THREADS: Final = 256
"""The threads of most blocks: eight warps hide what loads take, and 64 registers are there for each
of 1,024 threads of a multiprocessor.
"""

_FEW_ROWS: Final = 256
"""With fewer rows than this, about two for each multiprocessor, each gets more threads."""

_WARP_ACCESSES: Final = 8
"""The accesses of a thread up to which a warp does a row alone, without barriers."""

_MANY_THREADS: Final = 132 * _THREADS
"""The threads that give each multiprocessor of an H100 a block."""

_STAGED_BYTES: Final = 48 << 10
"""The shared memory that a block may declare."""

_MOST_THREADS: Final = 1024

_SHORT: Final = 32
"""Shorter axes leave lanes of a warp idle that share them: a thread does them alone."""

COLUMN_ROWS: Final = 8
"""The rows of threads that share the reduced axis of columns."""

SQUARE: Final = 32
"""The extent of a square: 32 elements of 4 bytes are 128 bytes, an access of a warp."""

SQUARE_ROWS: Final = 8
"""The rows of a square that its threads have at a time: each has four elements."""


@dataclass(frozen=True, slots=True)
class KernelSchedule:
    """How a nest is carried out."""

    kind: KindOfSchedule
    axis: int | None
    """The axis along which threads lie side by side, or have several elements; None for neither."""
    width: int
    """The elements along it that a thread has at a time."""
    grid: int
    """The number of blocks."""
    threads: int
    """The threads of a block."""
    spread: tuple[int, ...]
    """The outer axes whose positions threads or blocks share, the last the fastest."""
    ordered: tuple[int, ...]
    """The outer axes that each thread goes through in order."""
    is_atomic: bool
    """Whether stores combine with what is in memory by atomics."""
    lanes: int = WARP
    """The threads side by side that share a row: those of a block, or a part of a warp."""
    turned: tuple[Load, ...] = ()
    """The loads of squares that are contiguous along the axis before the last."""

    def __str__(self) -> str:
        along = "" if self.axis is None else f" along a{self.axis}, {self.width} at a time"
        return f"{self.kind}{along}: {self.grid} blocks of {self.threads} threads"


def least_alignment(nest: Nest, alignments: Mapping[Buffer, int]) -> int:
    """Returns of how many bytes the addresses of all buffers of a nest are multiples; `alignments`
    names those that lie at smaller ones than an access takes.
    """
    return min((alignments.get(buffer, ACCESS) for buffer in nest.buffers), default=ACCESS)


def schedule(nest: Nest, alignment: int = ACCESS) -> KernelSchedule:
    """Returns the schedule of a nest whose buffers lie at multiples of so many bytes."""
    ordered = axes_in_order(nest)
    is_atomic = bool(ordered) and all(are_updates(sweep) for sweep in nest.sweeps)
    if is_atomic:
        ordered = frozenset[int]()
    looping = [sweep for sweep in nest.sweeps if sweep.axes]
    spread = tuple(axis for axis in nest.outer if axis not in ordered)
    in_order = tuple(axis for axis in nest.outer if axis in ordered)
    if looping and not ordered:
        axis = _row_axis(nest, looping)
        if axis is not None:
            return _rows(nest, axis, spread, alignment)
        axis = _column_axis(nest, looping, alignment)
        if axis is not None:
            return _columns(nest, axis, spread, alignment)
    axis, width = None, 1
    if not ordered and not is_atomic and spread:
        squares = None if looping else _squares(nest, spread)
        if squares is not None:
            return squares
        axis, width = _wide_axis(nest, spread, alignment)
        if looping and _count(nest, spread) // width < _MANY_THREADS:
            axis, width = None, 1  # More threads that do less each are faster.
    nearest = _nearest_axis(nest, spread) if axis is None else axis
    if nearest is not None:
        spread = (*[a for a in spread if a != nearest], nearest)
    total = _count(nest, spread) // width
    threads = _THREADS if total >= _THREADS else max(-(-total // WARP) * WARP, WARP)
    grid = max(-(-total // threads), 1)
    return KernelSchedule("points", axis, width, grid, threads, spread, in_order, is_atomic)


def _nearest_axis(nest: Nest, spread: tuple[int, ...]) -> int | None:
    """Returns the axis along which threads side by side access what is side by side; None where
    there is none.
    """
    steps = {
        axis: [abs(each.offset.coefficient(axis)) for sw in nest.sweeps for each in _accesses(sw)]
        for axis in spread
    }
    counts = {axis: found.count(1) for axis, found in steps.items()}
    best = max(spread, key=lambda axis: (counts[axis], axis), default=None)
    return best if best is not None and counts[best] else None


def _rows(nest: Nest, axis: int, spread: tuple[int, ...], alignment: int) -> KernelSchedule:
    width = width_along(nest, axis, alignment)
    rows = _count(nest, spread)
    need = -(-nest.extents[axis] // width)
    lanes = min(WARP, 1 << (need - 1).bit_length())
    is_short = need <= WARP * _WARP_ACCESSES and rows * lanes >= _MANY_THREADS
    if is_short and not _need_barriers(nest, axis):
        side_by_side = WARP // lanes
        while rows % side_by_side:  # A warp is busy as a whole, for what its lanes exchange.
            side_by_side //= 2
        lanes = WARP // side_by_side
        staged = sum(b.nbytes for b in nest.buffers if b.role == "stage")
        if staged * (_THREADS // lanes) <= _STAGED_BYTES:
            blocks = -(-rows // (_THREADS // lanes))
            return KernelSchedule(
                "rows", axis, width, blocks, _THREADS, spread, (), False, lanes=lanes
            )
    most = _MOST_THREADS if rows < _FEW_ROWS else _THREADS
    threads = min(most, max(WARP, 1 << (need - 1).bit_length()))
    return KernelSchedule("rows", axis, width, rows, threads, spread, (), False, lanes=threads)


def buffers_of_threads(nest: Nest, axis: int | None) -> set[Buffer]:
    """Returns the buffers of which each element is accessed by one thread only, where threads share
    the positions along an axis: all accesses are at one offset, in sweeps along this axis.
    """
    found: dict[Buffer, set[Affine]] = {}
    for sweep in nest.sweeps:
        for each in _accesses(sweep):
            offsets = found.setdefault(each.buffer, set())
            offsets.add(each.offset)
            is_along = axis is not None and sweep.axes == (axis,)
            if each.dynamic is not None or not is_along or not each.offset.coefficient(axis or 0):
                offsets.add(each.offset + 1)  # Any thread may be who accesses it.
    return {buffer for buffer, offsets in found.items() if len(offsets) == 1}


def _need_barriers(nest: Nest, axis: int) -> bool:
    """Returns whether threads that share the positions along an axis have to wait for each other
    between accesses of memory.
    """
    own = buffers_of_threads(nest, axis)
    loaded = {
        each.buffer
        for sweep in nest.sweeps
        for each in sweep.instructions
        if isinstance(each, Load)
    }
    stores = [store.buffer for sweep in nest.sweeps for store in sweep.stores]
    shared = [buffer for buffer in stores if buffer not in own]
    return len(set(shared)) < len(shared) or any(buffer in loaded for buffer in shared)


def _columns(nest: Nest, axis: int, spread: tuple[int, ...], alignment: int) -> KernelSchedule:
    others = tuple(a for a in spread if a != axis)
    width = width_along(nest, axis, alignment)
    tile = WARP * width
    blocks = _count(nest, others) * -(-nest.extents[axis] // tile)
    threads = WARP * COLUMN_ROWS
    return KernelSchedule("columns", axis, width, blocks, threads, (*others, axis), (), False)


def _squares(nest: Nest, spread: tuple[int, ...]) -> KernelSchedule | None:
    """Returns the schedule of loads that are contiguous along another axis than the stores; None
    where there are none, or the squares are not full.
    """
    contiguous = [
        axis
        for axis in spread
        if all(s.offset.coefficient(axis) == 1 for sweep in nest.sweeps for s in sweep.stores)
    ]
    if len(contiguous) != 1 or nest.extents[contiguous[0]] < SQUARE:
        return None
    (along,) = contiguous
    turned: dict[int, list[Load]] = {}
    for sweep in nest.sweeps:
        for each in sweep.instructions:
            if not isinstance(each, Load) or each.dynamic is not None:
                continue
            if each.buffer.role == "stage" or abs(each.offset.coefficient(along)) <= 1:
                continue
            for axis in spread:
                if each.offset.coefficient(axis) == 1 and nest.extents[axis] >= SQUARE:
                    turned.setdefault(axis, []).append(each)
    if not turned:
        return None
    axis = max(turned, key=lambda a: len(turned[a]))
    loads = tuple(dict.fromkeys(turned[axis]))
    if sum(SQUARE * (SQUARE + 1) * each.dtype.itemsize for each in loads) > _STAGED_BYTES:
        return None
    others = tuple(a for a in spread if a not in (axis, along))
    tiles = -(-nest.extents[axis] // SQUARE) * -(-nest.extents[along] // SQUARE)
    grid, threads = _count(nest, others) * tiles, SQUARE * SQUARE_ROWS
    spread = (*others, axis, along)
    return KernelSchedule("squares", along, 1, grid, threads, spread, (), False, turned=loads)


def _count(nest: Nest, axes: tuple[int, ...]) -> int:
    return math.prod(nest.extents[axis] for axis in axes)


def _row_axis(nest: Nest, looping: list[Sweep]) -> int | None:
    """Returns the inner axis of all sweeps along which most accesses are contiguous; None where
    there is none that is long.
    """
    common = set(looping[0].axes).intersection(*(sweep.axes for sweep in looping))
    scores = {axis: 0 for axis in common if nest.extents[axis] >= _SHORT}
    for sweep in looping:
        for each in _accesses(sweep):
            for axis, step in each.offset.terms:
                if axis in scores and abs(step) == 1:
                    scores[axis] += 1
    best = max(scores, key=lambda axis: (scores[axis], axis), default=None)
    if best is None or (not scores[best] and not _is_whole(nest)):
        return None
    return best


def _is_whole(nest: Nest) -> bool:
    """Returns whether a nest has so few positions that its inner axes are all there is to share."""
    return _count(nest, nest.outer) < WARP


def _column_axis(nest: Nest, looping: list[Sweep], alignment: int) -> int | None:
    """Returns the outer axis along which the accesses of long sweeps are contiguous; None where
    there is none. Where these store, too, the columns have to fill the warps.
    """
    if any(b.role == "stage" for b in nest.buffers):
        return None
    if min(_count(nest, sweep.axes) for sweep in looping) < _SHORT:
        return None
    for axis in nest.outer:
        steps = [each.offset.coefficient(axis) for sweep in looping for each in _accesses(sweep)]
        is_contiguous = 1 in steps and all(step in (0, 1) for step in steps)
        if nest.extents[axis] < COLUMN_ROWS or not is_contiguous:
            continue
        tile = WARP * width_along(nest, axis, alignment)
        if nest.extents[axis] % tile == 0 or not any(sweep.stores for sweep in looping):
            return axis
    return None


def _accesses(sweep: Sweep) -> Iterator[Load | Store]:
    yield from (each for each in sweep.instructions if isinstance(each, Load))
    yield from sweep.stores


def _wide_axis(nest: Nest, spread: tuple[int, ...], alignment: int) -> tuple[int | None, int]:
    """Returns the axis of which a thread has several elements, and how many."""
    found = [(width_along(nest, axis, alignment), axis) for axis in spread]
    width, axis = max(found)
    return (axis, width) if width > 1 else (None, 1)


def width_along(nest: Nest, axis: int, alignment: int) -> int:
    """Returns the elements of an access of 16 bytes along an axis, where all accesses are so
    aligned; fewer where fewer are.
    """
    size = max((buffer.dtype.itemsize for buffer in nest.buffers), default=4)
    width = max(ACCESS // size, 1)
    while width > 1 and not _fits(nest, axis, width):
        width //= 2
    while width > 1 and width * size > alignment:
        width //= 2
    return width


def _fits(nest: Nest, axis: int, width: int) -> bool:
    """Returns whether all accesses along an axis are of `width` elements side by side, or one."""
    if nest.extents[axis] % width:
        return False
    has_wide = False
    for sweep in nest.sweeps:
        varying = varying_along(sweep, axis)
        for each in _accesses(sweep):
            step = each.offset.coefficient(axis)
            if each.dynamic is not None and varying[each.dynamic]:
                return False
            if each.dynamic is not None and step and not _divides(width, sweep, each.dynamic):
                return False
            if step not in (0, 1):
                return False
            rest = [each.offset.constant, *[c for a, c in each.offset.terms if a != axis]]
            if step == 1:
                has_wide = True
                if any(number % width for number in rest):
                    return False
    return has_wide


def _divides(width: int, sweep: Sweep, register: int) -> bool:
    """Returns whether a register is a multiple of a number, as the place of a row is of its
    length.
    """
    match sweep.instructions[register]:
        case Operation("mul", operands):
            return any(_divides(width, sweep, operand) for operand in operands)
        case Operation("add" | "sub", operands):
            return all(_divides(width, sweep, operand) for operand in operands)
        case Constant(value):
            return value.imag == 0 and value.real % width == 0
        case _:
            return False
