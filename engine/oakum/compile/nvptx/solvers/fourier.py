"""Fourier transforms of lengths that are powers of two, as a kernel: a block has some transforms
in shared memory, and each thread four elements of one at a time.

Each stage combines four elements that lie a quarter of the length apart, multiplies by roots of
unity, and leaves the results where the next stage finds its quarters (Stockham's order); the last
one combines two where the length is no power of four. The first stage loads from memory, and the
last one stores there: between them are two barriers a stage.
"""

from __future__ import annotations

import math
from typing import Final

from oakum import dtypes
from oakum.compile import elementary
from oakum.compile.llvm.llvm_value import Value, constant
from oakum.compile.native.target import Target
from oakum.compile.nvptx.codegen.gpu_kernel import Argument, Kernel, Launch
from oakum.compile.problems.problem import Fourier
from oakum.lax.options import FftType

_SHORTEST: Final = 4

_LONGEST_BYTES: Final = 32 << 10
"""The bytes of a transform: with the roots they are 40 KiB, of 48 that a block may have."""

_THREADS: Final = 128
"""The threads of a block that has several transforms."""

_Complex = tuple[Value, Value]


def takes(problem: Fourier) -> bool:
    """Returns whether there is a kernel for a length."""
    n = problem.length
    fits = 2 * n * problem.dtype.itemsize <= _LONGEST_BYTES
    return n >= _SHORTEST and n.bit_count() == 1 and fits


def launches(problem: Fourier, target: Target) -> list[Launch]:
    """Returns the one kernel."""
    writer = _Writer(problem, target)
    return [Launch(writer.write(), -(-problem.batch // writer.together), (0, 1))]


class _Writer:
    def __init__(self, problem: Fourier, target: Target) -> None:
        n, size = problem.length, problem.dtype.itemsize
        self._problem, self._n, self._dtype = problem, n, problem.dtype
        self._quarter = n // 4
        self.together = max(_THREADS // self._quarter, 1)
        """The transforms of a block."""
        # Complex numbers lie at multiples of both parts: they are one access.
        kinds = {FftType.RFFT: (size, 2 * size), FftType.IRFFT: (2 * size, size)}
        alignments = kinds.get(problem.type, (2 * size, 2 * size))
        arguments = [Argument(n, is_written=bool(k)) for k, n in enumerate(alignments)]
        f = self._f = Kernel(arguments, target, self.together * self._quarter)
        self._sign = 1 if problem.is_inverse else -1
        own, self._thread = f.divide(f.thread(), self._quarter)
        self._item = f.add(f.mul(f.block_number(), self.together), own)
        self._is_there = f.below(self._item, problem.batch)
        self._start = f.mul(own, n)
        self._parts = ("", "")
        self._roots = ("", "")

    def write(self) -> Kernel:
        """Writes the stages."""
        f, n = self._f, self._n
        stages = [4] * ((n.bit_length() - 1) // 2) + [2] * ((n.bit_length() - 1) % 2)
        if len(stages) > 1:
            every = self.together * n * self._dtype.itemsize
            self._parts = f.shared_memory(every), f.shared_memory(every)
            self._make_roots()
        places = [f.add(self._thread, each * self._quarter) for each in range(4)]
        values = [self._load(place) for place in places]
        step = 1
        for number, radix in enumerate(stages):
            if radix == 4:
                made = self._of_four(values, step)
                first = f.bit_and(self._thread, -step)
                at = f.add(self._thread, f.mul(first, 3))
                to = [f.add(at, each * step) for each in range(4)]
            else:
                made, to = self._of_two(values), [places[n] for n in (0, 2, 1, 3)]
            if number == len(stages) - 1:
                for place, value in zip(to, made, strict=True):
                    self._store(place, value)
                break
            if number:
                f.barrier()
            for place, value in zip(to, made, strict=True):
                for base, part in zip(self._parts, value, strict=True):
                    f.store(part, base, f.add(self._start, place))
            f.barrier()
            values = [
                self._pair(
                    [f.load(base, f.add(self._start, place), self._dtype) for base in self._parts]
                )
                for place in places
            ]
            step *= radix
        return f

    def _pair(self, parts: list[Value]) -> _Complex:
        real, imaginary = parts
        return real, imaginary

    # The roots of unity of the first quarter.

    def _make_roots(self) -> None:
        f, quarter, dtype = self._f, self._quarter, self._dtype
        size = quarter * dtype.itemsize
        self._roots = f.shared_memory(size), f.shared_memory(size)
        # Lengths are powers of two: the fraction of a turn is exact.
        part = f.to_float(f.cast("trunc", self._thread, dtypes.int32), dtype)
        angle = f.mul(part, self._sign * 2 * math.pi / self._n)
        for base, name in zip(self._roots, ("cos", "sin"), strict=True):
            with f.exactly():
                root = elementary.TABLE[name](f, angle)
            with f.when(f.compare("eq", self._start, 0)):
                f.store(root, base, self._thread)
        f.barrier()

    def _turned(self, x: _Complex, by: _Complex) -> _Complex:
        f = self._f
        return (
            f.sub(f.mul(x[0], by[0]), f.mul(x[1], by[1])),
            f.add(f.mul(x[0], by[1]), f.mul(x[1], by[0])),
        )

    # Stages.

    def _sum(self, x: _Complex, y: _Complex) -> _Complex:
        return self._f.add(x[0], y[0]), self._f.add(x[1], y[1])

    def _difference(self, x: _Complex, y: _Complex) -> _Complex:
        return self._f.sub(x[0], y[0]), self._f.sub(x[1], y[1])

    def _of_two(self, x: list[_Complex]) -> list[_Complex]:
        """Returns sums and differences of elements that lie a half apart."""
        first = self._sum(x[0], x[2]), self._difference(x[0], x[2])
        return [*first, self._sum(x[1], x[3]), self._difference(x[1], x[3])]

    def _of_four(self, x: list[_Complex], step: int) -> list[_Complex]:
        f = self._f
        even, across, odd, (real, imaginary) = self._of_two(x)
        # A quarter of a turn, backward or forward.
        side = (imaginary, f.neg(real)) if self._sign < 0 else (f.neg(imaginary), real)
        made = [
            self._sum(even, odd),
            self._sum(across, side),
            self._difference(even, odd),
            self._difference(across, side),
        ]
        if step == self._quarter:
            return made
        first = f.bit_and(self._thread, -step)
        root = self._pair([f.load(base, first, self._dtype) for base in self._roots])
        square = self._turned(root, root)
        roots = [root, square, self._turned(square, root)]
        return [made[0], *[self._turned(y, by) for y, by in zip(made[1:], roots, strict=True)]]

    # Memory.

    def _load(self, place: Value) -> _Complex:
        f, dtype = self._f, self._dtype
        zero = constant(0.0, dtype)

        def found() -> list[Value]:
            match self._problem.type:
                case FftType.RFFT:
                    at = f.add(f.mul(self._item, self._n), place)
                    return [f.load("%m0", at, dtype), zero]
                case FftType.IRFFT:
                    return self._of_half(place)
                case _:
                    at = f.add(f.mul(self._item, self._n), place)
                    return self._both("%m0", at)

        return self._pair(f.choose(self._is_there, found, lambda: [zero, zero]))

    def _both(self, base: str, at: Value) -> list[Value]:
        f = self._f
        found = f.load(base, f.mul(at, 2), self._dtype, 2)
        return [f.lane(found, part) for part in range(2)]

    def _of_half(self, place: Value) -> list[Value]:
        """Returns an element of half a spectrum, or the conjugate of one; the first one and the
        middle one are real.
        """
        f, middle = self._f, self._n // 2
        is_first = f.compare("le", place, middle)
        mirrored = f.select(is_first, place, f.sub(f.index(self._n), place))
        at = f.add(f.mul(self._item, middle + 1), mirrored)
        real, imaginary = self._both("%m0", at)
        imaginary = f.select(is_first, imaginary, f.neg(imaginary))
        is_real = f.compare("eq", f.bit_and(place, middle - 1), 0)
        return [real, f.select(is_real, constant(0.0, self._dtype), imaginary)]

    def _store(self, place: Value, value: _Complex) -> None:
        f, n, kind = self._f, self._n, self._problem.type
        if self._problem.is_inverse:
            value = f.mul(value[0], 1 / n), f.mul(value[1], 1 / n)
        is_there = self._is_there
        if kind is FftType.RFFT:
            is_there = f.bit_and(is_there, f.compare("le", place, n // 2))
        with f.when(is_there):
            if kind is FftType.IRFFT:
                f.store(value[0], "%m1", f.add(f.mul(self._item, n), place))
                return
            pitch = n // 2 + 1 if kind is FftType.RFFT else n
            both = f.with_lane(f.splat(value[0], 2), 1, value[1])
            f.store(both, "%m1", f.mul(f.add(f.mul(self._item, pitch), place), 2))
