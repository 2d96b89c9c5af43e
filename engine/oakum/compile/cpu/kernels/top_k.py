"""The greatest elements along an axis, with their places, as code.

The best so far are kept sorted. All other elements are compared with the least of these, a few
vectors at a time if they are contiguous: most are not greater, and need no more work.

Elements are compared as integers of the same order: floats by their bits, so that -0 is less than
0, and NaN greater than all numbers.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

from oakum import dtypes
from oakum.compile.llvm.llvm_function import Function, Index
from oakum.compile.llvm.llvm_value import Value, is_float
from oakum.compile.loops.operations import NATIVE
from oakum.compile.problems.problem import Selection
from oakum.dtypes import Kind

_ELEMENT_NS: Final = 0.3
"""The time of one comparison. With the one below it estimates 108 us for 8 of 64 x 4096, where
72 were measured.
"""

_STEP_NS: Final = 1.0
"""The time to move one kept element on."""

_MOST: Final = 32
"""The most elements found by insertion; the host sorts for more. Measured: 24 of 4096 are 1.4 times
slower by sorting (at half of this), 48 are 1.3 times slower by insertion (at double).
"""

_SHORT: Final = 64
"""The longest line that is sorted by insertion completely. By judgement."""

_BLOCK: Final = 4
"""The vectors compared together: four independent comparisons hide the latency of one. By
judgement.
"""


def takes(problem: Selection) -> bool:
    """Returns whether there is code for so many elements of lines of this length."""
    return problem.dtype in NATIVE and (problem.count <= _MOST or problem.length <= _SHORT)


def cost_ns(problem: Selection) -> float:
    """Returns the estimated time on one thread."""
    found = problem.count * (1 + math.log(max(problem.length / max(problem.count, 1), 1)))
    return problem.lines * (problem.length * _ELEMENT_NS + found * problem.count * _STEP_NS)


def write(f: Function, problem: Selection) -> None:
    """Writes the items: lines along the axis."""
    _Writer(f, problem).write()


_SOURCE, _VALUES, _INDICES = "%given0", "%given1", "%given2"


class _Writer:
    def __init__(self, f: Function, problem: Selection) -> None:
        self._f = f
        self._problem = problem
        size, dtype = problem.dtype.itemsize, problem.dtype
        unsigned = dtype.kind in (Kind.UINT, Kind.BOOL)
        self._kind = dtypes.DTYPES[f"{'uint' if unsigned else 'int'}{8 * size}"]
        self._keys, self._places = f.fresh("keys"), f.fresh("places")
        for name, nbytes in ((self._keys, size), (self._places, 4)):
            f.lines.append(f"  {name} = alloca [{problem.count * nbytes} x i8], align 64")

    def write(self) -> None:
        """Writes the function's body."""
        f, problem = self._f, self._problem
        with f.loop(Value("%begin", dtypes.int64), Value("%end", dtypes.int64)) as loop:
            before, after = loop.index, f.index(0)
            if problem.after > 1:
                before = f.div(loop.index, problem.after)
                after = f.rem(loop.index, problem.after)
            first = f.add_index(f.mul_index(before, problem.length * problem.after), after)
            line = f.pointer(_SOURCE, first, self._kind)
            with f.loop(0, problem.count) as start:
                self._insert(self._key(line, start.index), start.index, start.index)
            self._rest(line)
            first = f.add_index(f.mul_index(before, problem.count * problem.after), after)
            self._give(line, first)

    def _key(self, line: str, number: Index, width: int = 1) -> Value:
        """Returns elements as integers of the same order."""
        f = self._f
        x = f.load(line, f.mul_index(number, self._problem.after), self._kind, width)
        if not is_float(self._problem.dtype):
            return x
        bits = 8 * self._kind.itemsize
        # What is negative is turned around, but for its sign.
        turned = f.bit_and(f.shift_right(x, bits - 1), (1 << (bits - 1)) - 1)
        return f.bit_xor(x, turned)

    def _rest(self, line: str) -> None:
        """Searches the rest of a line for elements greater than the least kept."""
        f, problem = self._f, self._problem
        width = f.target.vector_bytes // self._kind.itemsize
        start, stop, block = problem.count, problem.length, _BLOCK * width
        border = start
        if problem.after == 1:
            border = start + (stop - start) // block * block
        if border > start:
            with f.loop(start, border, block) as loop:
                least = f.splat(self._least(), width)
                greater = [
                    f.compare(
                        "gt", self._key(line, f.add_index(loop.index, n * width), width), least
                    )
                    for n in range(_BLOCK)
                ]
                while len(greater) > 1:
                    greater = [
                        f.bit_or(x, y) for x, y in zip(greater[::2], greater[1::2], strict=True)
                    ]
                with f.when(f.reduce("or", greater[0])):
                    self._each(line, loop.index, f.add_index(loop.index, block))
        if border < stop:
            self._each(line, border, stop)

    def _least(self) -> Value:
        return self._f.load(self._keys, self._problem.count - 1, self._kind)

    def _each(self, line: str, start: Index, stop: Index) -> None:
        f = self._f
        with f.loop(start, stop) as loop:
            key = self._key(line, loop.index)
            with f.when(f.compare("gt", key, self._least())):
                self._insert(key, loop.index, f.index(self._problem.count - 1))

    def _insert(self, key: Value, place: Value, last: Value) -> None:
        """Inserts a key into the sorted ones, up to `last`."""
        f = self._f

        def moves(at: Value) -> Value:
            return f.compare("lt", f.load(self._keys, f.sub(at, 1), self._kind), key)

        def move(at: Value) -> Value:
            before = f.sub(at, 1)
            f.store(f.load(self._keys, before, self._kind), self._keys, at)
            f.store(f.load(self._places, before, dtypes.int32), self._places, at)
            return before

        at = _down_while(f, last, moves, move)
        f.store(key, self._keys, at)
        f.store(f.cast("trunc", place, dtypes.int32), self._places, at)

    def _give(self, line: str, first: Index) -> None:
        """Copies the elements at the places found, and the places."""
        f, problem = self._f, self._problem
        with f.loop(0, problem.count) as loop:
            place = f.load(self._places, loop.index, dtypes.int32)
            number = f.mul_index(f.cast("sext", place, dtypes.int64), problem.after)
            at = f.add_index(first, f.mul_index(loop.index, problem.after))
            f.store(f.load(line, number, self._kind), _VALUES, at)
            f.store(place, _INDICES, at)


def _down_while(
    f: Function,
    start: Value,
    holds: Callable[[Value], Value],
    body: Callable[[Value], Value],
) -> Value:
    """Repeats a body on a number while it returns true and is not zero; returns the last number."""
    head, asked, inside, after = (f.label() for _ in range(4))
    before = f.block
    f.jump(head)
    f.enter(head)
    line = len(f.lines)
    f.lines.append("")
    number = Value(f.fresh("i"), dtypes.int64)
    f.branch(f.compare("gt", number, 0), asked, after)
    f.enter(asked)
    f.branch(holds(number), inside, after)
    f.enter(inside)
    following = body(number)
    f.lines[line] = (
        f"  {number.text} = phi i64 [{start.text}, %{before}], [{following.text}, %{f.block}]"
    )
    f.jump(head)
    f.enter(after)
    return number
