"""Nests that do not depend on each other, in one launch: each has a range of the blocks.

Arrays that are joined, padded or rolled are written by a nest for each part, and a launch takes
longer than most of these. Nests follow each other in a plan, and are joined where none of them
reads memory that another one writes, and no two write the same element: offsets of the same strides
that stay within other parts of a row, or apart altogether.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from oakum.compile.loops.loop_ir import Affine, Buffer, Load, Nest
from oakum.compile.native.target import Target
from oakum.compile.nvptx.codegen.gpu_kernel import Argument, Kernel
from oakum.compile.nvptx.kernel_schedule import ACCESS, KernelSchedule, least_alignment, schedule
from oakum.compile.nvptx.nest_kernels import BlockRange, NestKernel
from oakum.compile.plan.steps import NestStep, Plan, PlanStep
from oakum.values.records import dataclass

_MOST: Final = 16
"""More nests are not joined: a block finds its own by comparisons."""


@dataclass(frozen=True, slots=True)
class _Write:
    """The elements that a store writes: an offset, and the extents of its axes; without an offset
    any.
    """

    buffer: Buffer
    offset: Affine | None
    extents: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Accesses:
    """What a nest reads and writes."""

    reads: frozenset[Buffer]
    writes: tuple[_Write, ...]


def joined(
    plan: Plan, alignments: Mapping[Buffer, int]
) -> Iterator[PlanStep | tuple[NestStep, ...]]:
    """Yields the steps of a plan; nests that are one launch together."""
    memory = _Memory(plan)
    waiting: list[NestStep] = []
    known: list[_Accesses] = []
    for step in plan.steps:
        if isinstance(step, NestStep) and _is_simple(step.nest, alignments):
            found = _accesses(step.nest)
            if len(waiting) == _MOST or not all(memory.are_apart(found, each) for each in known):
                yield from _together(waiting)
                waiting, known = [], []
            waiting.append(step)
            known.append(found)
            continue
        yield from _together(waiting)
        waiting, known = [], []
        yield step
    yield from _together(waiting)


def _together(steps: list[NestStep]) -> list[PlanStep | tuple[NestStep, ...]]:
    return [tuple(steps)] if len(steps) > 1 else [*steps]


def _is_simple(nest: Nest, alignments: Mapping[Buffer, int]) -> bool:
    """Whether the threads of a nest have nothing in common, neither positions nor memory."""
    how = schedule(nest, least_alignment(nest, alignments))
    return how.kind == "points" and all(buffer.role != "stage" for buffer in nest.buffers)


def _accesses(nest: Nest) -> _Accesses:
    reads: set[Buffer] = set()
    writes: list[_Write] = []
    for sweep in nest.sweeps:
        reads.update(each.buffer for each in sweep.instructions if isinstance(each, Load))
        for store in sweep.stores:
            offset = None if store.dynamic is not None else store.offset
            writes.append(_Write(store.buffer, offset, tuple(nest.extents)))
    return _Accesses(frozenset(reads), tuple(writes))


class _Memory:
    """Where the buffers of a plan lie."""

    def __init__(self, plan: Plan) -> None:
        self._offsets, self._aliases = plan.offsets, plan.aliases

    def are_apart(self, one: _Accesses, other: _Accesses) -> bool:
        """Whether nests may be done in any order."""
        for first, second in ((one, other), (other, one)):
            for write in first.writes:
                if any(self._share(write.buffer, read) for read in second.reads):
                    return False
        return all(
            not self._share(a.buffer, b.buffer) or (a.buffer == b.buffer and _are_apart(a, b))
            for a in one.writes
            for b in other.writes
        )

    def _share(self, one: Buffer, other: Buffer) -> bool:
        """Whether buffers have memory in common."""
        if one.role == other.role == "temporary":
            first, second = self._offsets[one], self._offsets[other]
            return first < second + other.nbytes and second < first + one.nbytes
        return self._place(one) == self._place(other)

    def _place(self, buffer: Buffer) -> tuple[str, int]:
        """Returns the role and number of a buffer: of the argument whose memory a result takes."""
        over = self._aliases.get(buffer.number) if buffer.role == "out" else None
        return (buffer.role, buffer.number) if over is None else ("in", over)


def _are_apart(one: _Write, other: _Write) -> bool:
    """Whether stores of one buffer never write the same element."""
    if one.offset is None or other.offset is None:
        return False
    strides = {abs(c) for each in (one.offset, other.offset) for _, c in each.terms}
    return any(_are_apart_modulo(one, other, stride) for stride in (0, *strides))


def _are_apart_modulo(one: _Write, other: _Write, stride: int) -> bool:
    """Whether the elements lie in other parts of rows of `stride` elements; of all memory for 0."""
    first, size = _part(one, stride)
    second, other_size = _part(other, stride)
    if not stride:
        return second >= first + size or first >= second + other_size
    behind = (second - first) % stride
    return behind >= size and behind + other_size <= stride


def _part(write: _Write, stride: int) -> tuple[int, int]:
    """Returns the first element of a row that is written, and how many from there on are."""
    assert write.offset is not None
    first, last = write.offset.constant, write.offset.constant
    for axis, coefficient in write.offset.terms:
        if stride and coefficient % stride == 0:
            continue
        reach = coefficient * (write.extents[axis] - 1)
        first, last = first + min(reach, 0), last + max(reach, 0)
    return first, last - first + 1


@dataclass(frozen=True, slots=True)
class JoinedKernel:
    """The kernel of several nests."""

    kernel: Kernel
    grid: int
    buffers: tuple[Buffer, ...]
    title: str


def write(nests: Sequence[Nest], target: Target, alignments: Mapping[Buffer, int]) -> JoinedKernel:
    """Writes the kernel of nests that may be done in any order."""
    hows = [schedule(nest, least_alignment(nest, alignments)) for nest in nests]
    threads = max(how.threads for how in hows)
    counts = [_blocks(nest, how, threads) for nest, how in zip(nests, hows, strict=True)]
    buffers = tuple(dict.fromkeys(buffer for nest in nests for buffer in nest.buffers))
    written = {s.buffer for nest in nests for sweep in nest.sweeps for s in sweep.stores}
    arguments = [Argument(min(alignments.get(b, ACCESS), ACCESS), b in written) for b in buffers]
    f = Kernel(arguments, target, threads)
    pointers = {buffer: f"%m{number}" for number, buffer in enumerate(buffers)}
    first = 0
    for nest, count in zip(nests, counts, strict=True):
        with f.when(f.below(f.sub(f.block_number(), first), count)):
            NestKernel(nest, target, alignments, BlockRange(f, pointers, first)).write()
        first += count
    title = f"side by side, {len(nests)} nests: {first} blocks of {threads} threads"
    return JoinedKernel(f, first, buffers, title)


def _blocks(nest: Nest, how: KernelSchedule, threads: int) -> int:
    total = 1
    for axis in how.spread:
        total *= nest.extents[axis]
    return -(-(total // how.width) // threads)
