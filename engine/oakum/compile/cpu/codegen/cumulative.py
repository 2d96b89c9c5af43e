"""Running reductions as code.

Along the last axis, a vector is combined with itself shifted by one lane, two lanes, and so on; a
chain of one operation per vector adds what came before. Along another axis, rows are added to a row
of totals in the first cache.

Long running sums of floats are those of chunks, to which the sum of what came before the chunk is
added, for the reason that `loops/summation` names.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from oakum import dtypes
from oakum.compile.llvm.instructions import is_small
from oakum.compile.llvm.llvm_function import Function, Index
from oakum.compile.llvm.llvm_value import Value, constant, is_float
from oakum.compile.loops import operations
from oakum.compile.native import threads
from oakum.compile.native.target import Target
from oakum.compile.problems.problem import Accumulation


def cost_ns(problem: Accumulation) -> float:
    """Returns the estimated time on one thread."""
    return problem.size * _ELEMENT_NS


def shares_of(problem: Accumulation) -> int:
    """Returns how many threads an accumulation is worth."""
    return max(min(int(cost_ns(problem) / _SHARE_NS), problem.before, threads.count()), 1)


_ELEMENT_NS: Final = 0.4
"""The time of one element in ns; measured 0.20 along the last axis and 0.14 along others, on
AVX-512.
"""

_SHARE_NS: Final = 40_000.0
"""The least work (in ns) for one more thread. By judgement: waking a sleeping thread takes some
microseconds, which this hides.
"""

_CHUNK: Final = 128
"""The vectors, or rows, whose running sums are added up apart."""

_BLOCK: Final = 1024
"""The elements of the row of totals, 4 KiB of f32. Half is 5% slower for 4096 columns, double
within 2%.
"""


def write(problem: Accumulation, target: Target, name: str) -> Function:
    """Writes `void name(ptr source, ptr result, i64 begin, i64 end)`: a range of what lies before
    the axis.
    """
    return _Writer(problem, target, name).write()


def write_share(f: Function, problem: Accumulation, name: str) -> None:
    """Writes a chunk of the work into a function that takes its number and that of all chunks."""
    chunk, chunks = Value("%chunk", dtypes.int64), Value("%chunks", dtypes.int64)
    places = [f.load_pointer("%buffers", number) for number in range(2)]
    borders = [f.div(f.mul(x, problem.before), chunks) for x in (chunk, f.add(chunk, 1))]
    arguments = [*[f"ptr {p}" for p in places], *[b.typed for b in borders]]
    f.write(f"call void @{name}({', '.join(arguments)})")


class _Writer:
    def __init__(self, problem: Accumulation, target: Target, name: str) -> None:
        self._problem = problem
        parameters = [("ptr noalias", "source"), ("ptr noalias", "result")]
        span = [("i64", "begin"), ("i64", "end")]
        self._f = Function(name, [*parameters, *span], target, internal=True)
        self._wide = dtypes.float32 if is_small(problem.dtype) else problem.dtype
        self._width = target.vector_bytes // self._wide.itemsize
        self._in_chunks = problem.monoid == "add" and is_float(self._wide)
        self._before = ""
        """The row of the totals before a chunk; "" where there are no chunks."""

    def write(self) -> Function:
        f, problem = self._f, self._problem
        if not problem.size:
            return f
        row = self._row() if problem.after > 1 else ""
        if row and self._in_chunks and problem.length > _CHUNK:
            self._before = self._row()
        begin, end = Value("%begin", dtypes.int64), Value("%end", dtypes.int64)
        with f.loop(begin, end) as loop:
            first = f.mul_index(loop.index, problem.length * problem.after)
            if row:
                self._columns(first, row)
            else:
                self._line(first)
        return f

    def _row(self) -> str:
        """Takes memory for a number per column of a block."""
        row = self._f.fresh("row")
        nbytes = min(self._problem.after, _BLOCK) * self._wide.itemsize
        self._f.lines.append(f"  {row} = alloca [{nbytes} x i8], align 64")
        return row

    def _neutral(self, width: int) -> Value:
        """Returns the neutral element; for sums -0.0, which keeps the sign of zeros."""
        adds = self._problem.monoid == "add" and is_float(self._wide)
        number = -0.0 if adds else operations.identity(self._problem.monoid, self._wide)
        return constant(number, self._wide, width)

    def _combine(self, x: Value, y: Value) -> Value:
        return operations.combine(self._f, self._problem.monoid, x, y)

    def _load(self, offset: Index, width: int) -> Value:
        raw = self._f.load("%source", offset, self._problem.dtype, width)
        return operations.convert(self._f, raw, self._wide)

    def _store(self, value: Value, offset: Index) -> None:
        value = operations.convert(self._f, value, self._problem.dtype)
        self._f.store(value, "%result", offset)

    def _turned(self, number: Value, width: int) -> Value:
        """Returns where the next elements in order lie, counted from the end if reversed."""
        if not self._problem.reverse:
            return number
        return self._f.sub(self._f.index(self._problem.length - width), number)

    # Along the last axis.

    def _line(self, first: Index) -> None:
        f, width, length = self._f, self._width, self._problem.length
        whole = length // width * width
        total = self._neutral(width)
        if whole and self._in_chunks and length > _CHUNK * width:
            with f.loop(0, whole, _CHUNK * width, [total]) as chunks:
                end = f.minimum(f.add(chunks.index, _CHUNK * width), f.index(whole))
                before = chunks.values[0]
                after = self._vectors(first, chunks.index, end, total, before)
                chunks.next = [self._combine(before, after)]
            total = chunks.results[0]
        elif whole:
            total = self._vectors(first, 0, whole, total, None)
        if whole == length:
            return
        with f.loop(whole, length, 1, [f.lane(total, 0)]) as loop:
            at = f.add_index(first, self._turned(loop.index, 1))
            loop.next = [self._combine(loop.values[0], self._load(at, 1))]
            self._store(loop.next[0], at)

    def _vectors(
        self, first: Index, start: Index, stop: Index, total: Value, before: Value | None
    ) -> Value:
        """Writes whole vectors; `before` is added to what is stored, and not to the total of these,
        which is returned.
        """
        f, width = self._f, self._width
        with f.loop(start, stop, width, [total]) as loop:
            at = f.add_index(first, self._turned(loop.index, width))
            found = self._within(self._load(at, width))
            stored = self._combine(loop.values[0], found)
            self._store(stored if before is None else self._combine(before, stored), at)
            last = 0 if self._problem.reverse else width - 1
            every = f.shuffle(found, found, [last] * width)
            loop.next = [self._combine(loop.values[0], every)]
        return loop.results[0]

    def _within(self, x: Value) -> Value:
        """Returns each lane combined with all lanes before it."""
        f, width = self._f, self._width
        neutral, step = self._neutral(width), 1
        while step < width:
            if self._problem.reverse:
                lanes = [n + step if n + step < width else width for n in range(width)]
            else:
                lanes = [n - step if n >= step else width for n in range(width)]
            x = self._combine(f.shuffle(x, neutral, lanes), x)
            step *= 2
        return x

    # Along another axis.

    def _columns(self, first: Index, row: str) -> None:
        f, after = self._f, self._problem.after
        whole = after // _BLOCK * _BLOCK
        if whole:
            with f.loop(0, whole, _BLOCK) as loop:
                self._block(f.add_index(first, loop.index), _BLOCK, row)
        if whole < after:
            self._block(f.add_index(first, whole), after - whole, row)

    def _block(self, first: Index, count: int, row: str) -> None:
        """Writes some columns, with their totals in `row`."""
        f, length = self._f, self._problem.length
        self._clear(count, row)
        if not self._before:
            self._lines(first, count, row, 0, length)
            return
        self._clear(count, self._before)
        with f.loop(0, length, _CHUNK) as loop:
            end = f.minimum(f.add(loop.index, _CHUNK), f.index(length))
            self._lines(first, count, row, loop.index, end)

            def add(n: Value, width: int) -> None:
                before = f.load(self._before, n, self._wide, width)
                total = self._combine(before, f.load(row, n, self._wide, width))
                f.store(total, self._before, n)

            self._each(count, add)
            self._clear(count, row)

    def _clear(self, count: int, row: str) -> None:
        f = self._f
        self._each(count, lambda n, width: f.store(self._neutral(width), row, n))

    def _lines(self, first: Index, count: int, row: str, start: Index, stop: Index) -> None:
        """Writes some rows of a block, which are added to the totals in `row`."""
        f, problem = self._f, self._problem
        with f.loop(start, stop) as loop:
            place = f.mul_index(self._turned(loop.index, 1), problem.after)
            begin = f.add_index(first, place)

            def add(n: Value, width: int) -> None:
                at = f.add_index(begin, n)
                total = self._combine(f.load(row, n, self._wide, width), self._load(at, width))
                f.store(total, row, n)
                if self._before:
                    total = self._combine(f.load(self._before, n, self._wide, width), total)
                self._store(total, at)

            self._each(count, add)

    def _each(self, count: int, body: Callable[[Value, int], None]) -> None:
        """Writes a body for all columns: vectors first, then single ones."""
        f, width = self._f, self._width
        whole = count // width * width
        if whole:
            with f.loop(0, whole, width) as loop:
                body(loop.index, width)
        if whole < count:
            with f.loop(whole, count) as loop:
                body(loop.index, 1)
