"""The greatest elements along an axis as kernels: tiles are sorted in shared memory, and sorted
runs are merged, two by two, until one is left.

Elements are compared as integers of the same order: floats by their bits, so that -0 is less than
0, and NaN greater than all numbers. Of equal ones the first comes first: tiles are sorted by places
too, and of two runs that are merged the first one has the first places.
"""

from __future__ import annotations

import itertools
from typing import Final

from oakum import dtypes
from oakum.compile.llvm.llvm_function import Index
from oakum.compile.llvm.llvm_value import Value, constant, is_float, is_signed
from oakum.compile.loops.operations import NATIVE
from oakum.compile.native.target import Target
from oakum.compile.nvptx.codegen.gpu_kernel import WARP, Argument, Kernel, Launch
from oakum.compile.problems.problem import Selection
from oakum.dtypes import DType
from oakum.values.records import dataclass

_TILE: Final = 1024
"""The elements that a block sorts: two for each of its threads, of which each multiprocessor has
2,048 at most.
"""

_MERGED: Final = 1024
"""The elements that a block finds of two runs."""

_MERGING: Final = 256
"""The threads of such a block."""

_FEW: Final = _TILE // 4
"""So few elements that are kept of a tile are sorted again with those of other tiles, which leaves
a quarter of them; merging two runs leaves half.
"""

_PLACE: Final = dtypes.int32

_NO_PLACE: Final = (1 << 31) - 1
"""The place of what fills a tile up: after all of them."""


def takes(problem: Selection) -> bool:
    """Returns whether there is code for a dtype."""
    return problem.dtype in NATIVE


@dataclass(frozen=True, slots=True)
class _Runs:
    """Sorted runs of a line, side by side: all but the last are of one length."""

    count: int
    length: int
    last: int

    @property
    def total(self) -> int:
        """The elements of a line."""
        return (self.count - 1) * self.length + self.last

    def sorted(self, kept: int) -> _Runs:
        """Returns the runs of the tiles of all elements."""
        tile = min(_TILE, max(1 << (self.total - 1).bit_length(), 2))
        count = -(-self.total // tile)
        rest = self.total - (count - 1) * tile
        return _Runs(count, min(kept, tile), min(kept, rest))

    def merged(self, kept: int) -> _Runs:
        """Returns the runs of pairs of runs."""
        count = -(-self.count // 2)
        pair = self.last if self.count % 2 else self.length + self.last
        return _Runs(count, min(kept, 2 * self.length), min(kept, pair))


def _stages(problem: Selection) -> list[_Runs]:
    """Returns the runs before the first stage, and behind each."""
    found = [_Runs(1, problem.length, problem.length)]
    found.append(found[0].sorted(problem.count))
    while found[-1].count > 1:
        runs = found[-1]
        is_few = problem.count <= _FEW
        found.append(runs.sorted(problem.count) if is_few else runs.merged(problem.count))
    return found


def _half_bytes(problem: Selection) -> int:
    """Returns the bytes of the longest runs between stages."""
    most = max((runs.total for runs in _stages(problem)[1:-1]), default=0)
    return problem.lines * most * (_wide(problem.dtype).itemsize + _PLACE.itemsize)


def scratch_bytes(problem: Selection) -> int:
    """Returns the bytes of the runs that a stage reads and of those that it writes."""
    return (2 if len(_stages(problem)) > 3 else 1) * _aligned(_half_bytes(problem))


def _aligned(nbytes: int) -> int:
    return -(-nbytes // 256) * 256


def launches(problem: Selection, target: Target) -> list[Launch]:
    """Returns the kernels in order; the buffers of the step are the source, the values, their
    places, and scratch memory.
    """
    stages = _stages(problem)
    last = len(stages) - 2
    found: list[Launch] = []
    for number, (before, after) in enumerate(itertools.pairwise(stages)):
        stage = _Stage(problem, target, before, after, number, is_last=number == last)
        is_sorting = number == 0 or problem.count <= _FEW
        grid = stage.sort() if is_sorting else stage.merge()
        found.append(Launch(stage.f, grid, stage.buffers))
    return found


class _Stage:
    """One kernel: from the runs before to those behind it."""

    def __init__(
        self,
        problem: Selection,
        target: Target,
        before: _Runs,
        after: _Runs,
        number: int,
        *,
        is_last: bool,
    ) -> None:
        self._problem, self._before, self._after = problem, before, after
        self._is_first, self._is_last = number == 0, is_last
        self._wide = _wide(problem.dtype)
        threads = _MERGING
        if number == 0 or problem.count <= _FEW:
            self._tile = min(_TILE, max(1 << (before.total - 1).bit_length(), 2))
            every = self._tile * problem.lines * after.count
            self._block = min(_TILE, max(2 * WARP, 1 << (every - 1).bit_length()))
            threads = self._block // 2
        size = problem.dtype.itemsize
        arguments: list[Argument] = []
        buffers: list[int] = []
        if number == 0:
            arguments.append(Argument(size, is_written=False))
            buffers.append(0)
        if number or not is_last:
            self._scratch = f"%m{len(buffers)}"
            arguments.append(Argument(16, is_written=True))
            buffers.append(3)
        if is_last:
            self._results = f"%m{len(buffers)}", f"%m{len(buffers) + 1}"
            arguments += [Argument(size, is_written=True), Argument(4, is_written=True)]
            buffers += [1, 2]
        self.buffers = tuple(buffers)
        f = self.f = Kernel(arguments, target, threads)
        # What a stage reads and what it writes are halves of scratch memory.
        half = _aligned(_half_bytes(problem))
        reads, writes = (0, half) if number % 2 == 0 else (half, 0)
        self._given, self._made = "", ""
        if number:
            self._given = f.pointer(self._scratch, writes, dtypes.int8)
        if not is_last:
            self._made = f.pointer(self._scratch, reads, dtypes.int8)

    # Memory.

    def _load(self, line: Value, place: Value) -> tuple[Value, Value]:
        """Returns an element of a line, and its place in the source."""
        f, problem = self.f, self._problem
        if not self._is_first:
            at = f.add(f.mul(line, self._before.total), place)
            places = self._places(self._given, self._before)
            return f.load(self._given, at, self._wide), f.load(places, at, _PLACE)
        before, after = f.divide(line, problem.after)
        row = f.add_index(f.mul_index(before, problem.length), place)
        at = f.add_index(f.mul_index(row, problem.after), after)
        return self._key(f.load("%m0", at, _bits(problem.dtype))), f.cast("trunc", place, _PLACE)

    def _store(self, line: Value, place: Index, key: Value, origin: Value) -> None:
        f, problem = self.f, self._problem
        if not self._is_last:
            at = f.add_index(f.mul(line, self._after.total), place)
            f.store(key, self._made, at)
            f.store(origin, self._places(self._made, self._after), at)
            return
        before, after = f.divide(line, problem.after)
        row = f.add_index(f.mul_index(before, problem.count), place)
        at = f.add_index(f.mul_index(row, problem.after), after)
        f.store(self._element(key), self._results[0], at)
        f.store(origin, self._results[1], at)

    def _places(self, base: str, runs: _Runs) -> str:
        return self.f.pointer(base, self._problem.lines * runs.total, self._wide)

    # Elements as integers of the same order.

    def _key(self, x: Value) -> Value:
        f, dtype = self.f, self._problem.dtype
        if is_float(dtype):
            x = self._turned(x)
        if is_signed(x.dtype):
            return x if x.dtype is self._wide else f.cast("sext", x, self._wide)
        if x.dtype.itemsize < self._wide.itemsize:
            return f.cast("zext", x, self._wide)
        return f.bit_xor(f.bitcast(x, self._wide), -1 << (8 * self._wide.itemsize - 1))

    def _element(self, key: Value) -> Value:
        f, dtype = self.f, self._problem.dtype
        kind = _bits(dtype)
        if kind.itemsize < self._wide.itemsize:
            key = f.cast("trunc", key, kind)
        elif not is_signed(kind):
            key = f.bitcast(f.bit_xor(key, -1 << (8 * kind.itemsize - 1)), kind)
        return self._turned(key) if is_float(dtype) else key

    def _turned(self, x: Value) -> Value:
        """Turns what is negative around, but for its sign; or back."""
        f = self.f
        bits = 8 * x.dtype.itemsize
        return f.bit_xor(x, f.bit_and(f.shift_right(x, bits - 1), (1 << (bits - 1)) - 1))

    # Sorting.

    def sort(self) -> int:
        """Writes the sort of tiles; returns the number of blocks."""
        f, block = self.f, self._block
        keys = f.shared_memory(block * self._wide.itemsize)
        places = f.shared_memory(block * _PLACE.itemsize)
        tiles = self._problem.lines * self._after.count
        thread = f.thread()
        least = constant(-1 << (8 * self._wide.itemsize - 1), self._wide)
        for half in range(2):
            at = f.add(thread, half * f.threads)
            line, run, own = self._tile_of(at)
            place = f.add(f.mul(run, self._tile), own)
            is_there = f.bit_and(f.below(place, self._before.total), self._is_line(line))
            found = f.choose(
                is_there,
                lambda line=line, place=place: list(self._load(line, place)),
                lambda: [least, constant(_NO_PLACE, _PLACE)],
            )
            f.store(found[0], keys, at)
            f.store(found[1], places, at)
        f.barrier()
        # Bitonic: runs of twice the length are made of runs that ascend and descend in turns.
        with f.loop(1, self._tile.bit_length()) as longer, f.loop(0, longer.index) as step:
            distance = f.sub(f.sub(longer.index, 1), step.index)
            self._exchange(keys, places, thread, longer.index, distance)
            f.barrier()
        for half in range(2):
            at = f.add(thread, half * f.threads)
            line, run, own = self._tile_of(at)
            kept = f.select(
                f.compare("eq", run, self._after.count - 1),
                constant(self._after.last, dtypes.int64),
                constant(self._after.length, dtypes.int64),
            )
            is_there = f.bit_and(f.compare("lt", own, kept), self._is_line(line))
            with f.when(is_there):
                place = f.add(f.mul(run, self._after.length), own)
                self._store(line, place, f.load(keys, at, self._wide), f.load(places, at, _PLACE))
        return -(-tiles * self._tile // block)

    def _is_line(self, line: Value) -> Value:
        return self.f.below(line, self._problem.lines)

    def _tile_of(self, at: Value) -> tuple[Value, Value, Value]:
        """Returns the line of an element of the block, its run, and its place in the tile."""
        f = self.f
        number = f.add(f.mul(f.block_number(), self._block), at)
        tile, own = f.divide(number, self._tile)
        line, run = f.divide(tile, self._after.count)
        return line, run, own

    def _exchange(
        self, keys: str, places: str, thread: Value, longer: Value, distance: Value
    ) -> None:
        """Puts two elements in the order of the run that they are of."""
        f = self.f
        one = constant(1, dtypes.int64)
        span = f.shift_left(one, distance)
        below = f.bit_and(thread, f.sub(span, 1))
        first = f.add(f.shift_left(f.sub(thread, below), one), below)
        second = f.add(first, span)
        own = f.bit_and(first, self._tile - 1)
        falls = f.compare("eq", f.bit_and(f.shift_right(own, longer), 1), 0)
        (x, p), (y, q) = (
            (f.load(keys, at, self._wide), f.load(places, at, _PLACE)) for at in (first, second)
        )
        tied = f.bit_and(f.compare("eq", x, y), f.compare("lt", p, q))
        is_before = f.bit_or(f.compare("gt", x, y), tied)
        stays = f.assign(f"icmp eq {is_before.typed}, {falls.text}", dtypes.bool_, 1)
        f.store(f.select(stays, x, y), keys, first)
        f.store(f.select(stays, y, x), keys, second)
        f.store(f.select(stays, p, q), places, first)
        f.store(f.select(stays, q, p), places, second)

    # Merging.

    def merge(self) -> int:
        """Writes the merge of pairs of runs; returns the number of blocks."""
        f, before, after = self.f, self._before, self._after
        room = max(_MERGED, WARP)
        rooms = [
            (f.shared_memory(room * self._wide.itemsize), f.shared_memory(room * _PLACE.itemsize))
            for _ in range(2)
        ]
        chunks = -(-max(after.length, after.last) // _MERGED)
        pair, chunk = f.divide(f.block_number(), chunks)
        line, run = f.divide(pair, after.count)
        first = f.mul(run, 2 * before.length)
        lengths = [self._length_of(f.add(f.mul(run, 2), number), before) for number in range(2)]
        total = f.minimum(f.add(*lengths), self._problem.count)
        begin = f.minimum(f.mul(chunk, _MERGED), total)
        end = f.minimum(f.add(begin, _MERGED), total)
        split = self._split(line, first, lengths, begin)
        upto = self._split(line, first, lengths, end)
        mine = f.sub(upto, split)
        theirs = f.sub(f.sub(end, begin), mine)
        starts = f.add(first, split), f.add(f.add(first, before.length), f.sub(begin, split))
        count = f.sub(end, begin)
        thread = f.thread()
        elements = [f.add(thread, number * _MERGING) for number in range(_MERGED // _MERGING)]
        for at in elements:
            with f.when(f.compare("lt", at, count)):
                is_first = f.compare("lt", at, mine)
                place = f.add(at, f.select(is_first, starts[0], f.sub(starts[1], mine)))
                key, origin = self._load(line, place)
                f.store(key, rooms[0][0], at)
                f.store(origin, rooms[0][1], at)
        f.barrier()
        for at in elements:
            with f.when(f.compare("lt", at, count)):
                self._rank(rooms, at, mine, theirs)
        f.barrier()
        for at in elements:
            with f.when(f.compare("lt", at, count)):
                place = f.add(f.add(f.mul(run, after.length), begin), at)
                key, origin = (
                    f.load(base, at, dtype)
                    for base, dtype in zip(rooms[1], (self._wide, _PLACE), strict=True)
                )
                self._store(line, place, key, origin)
        return self._problem.lines * after.count * chunks

    def _length_of(self, run: Value, runs: _Runs) -> Value:
        f = self.f
        is_last = f.compare("eq", run, runs.count - 1)
        length = f.select(is_last, constant(runs.last, dtypes.int64), f.index(runs.length))
        return f.select(f.compare("lt", run, runs.count), length, f.index(0))

    def _split(self, line: Value, first: Value, lengths: list[Value], end: Value) -> Value:
        """Returns how many of the first `end` elements of both runs are of the first one."""
        f = self.f
        low = f.maximum(f.sub(end, lengths[1]), 0)
        high = f.minimum(end, lengths[0])
        second = f.add(first, self._before.length)
        with f.loop(0, self._before.length.bit_length(), 1, [low, high]) as loop:
            low, high = loop.values
            is_open = f.compare("lt", low, high)
            middle = f.shift_right(f.add(low, high), 1)
            one = f.select(is_open, f.add(first, middle), first)
            other = f.select(is_open, f.sub(f.add(second, f.sub(end, 1)), middle), first)
            (x, _), (y, _) = self._load(line, one), self._load(line, other)
            is_before = f.bit_and(is_open, f.compare("ge", x, y))
            is_after = f.bit_and(is_open, f.compare("lt", x, y))
            loop.next = [
                f.select(is_before, f.add(middle, 1), low),
                f.select(is_after, middle, high),
            ]
        return loop.results[0]

    def _rank(self, rooms: list[tuple[str, str]], at: Value, mine: Value, theirs: Value) -> None:
        """Puts an element behind those of the other run that come before it."""
        f, zero = self.f, self.f.index(0)
        key = f.load(rooms[0][0], at, self._wide)
        is_first = f.compare("lt", at, mine)
        start = f.select(is_first, mine, zero)
        with f.loop(0, _MERGED.bit_length(), 1, [zero, f.select(is_first, theirs, mine)]) as loop:
            low, high = loop.values
            is_open = f.compare("lt", low, high)
            middle = f.shift_right(f.add(low, high), 1)
            other = f.load(rooms[0][0], f.select(is_open, f.add(start, middle), zero), self._wide)
            tied = f.bit_and(f.compare("eq", other, key), f.bit_not(is_first))
            is_before = f.bit_or(f.compare("gt", other, key), tied)
            loop.next = [
                f.select(f.bit_and(is_open, is_before), f.add(middle, 1), low),
                f.select(f.bit_and(is_open, f.bit_not(is_before)), middle, high),
            ]
        rank = f.add(f.sub(at, f.select(is_first, zero, mine)), loop.results[0])
        f.store(key, rooms[1][0], rank)
        f.store(f.load(rooms[0][1], at, _PLACE), rooms[1][1], rank)


def _wide(dtype: DType) -> DType:
    """Returns the integers that elements are compared as."""
    return dtypes.int64 if dtype.itemsize == 8 else dtypes.int32


def _bits(dtype: DType) -> DType:
    """Returns the integers that elements are loaded and stored as."""
    is_bare = not (is_float(dtype) or is_signed(dtype))
    return dtypes.DTYPES[f"{'uint' if is_bare else 'int'}{8 * dtype.itemsize}"]
