"""Short Fourier transforms of power-of-two lengths, as code.

Each stage adds and subtracts the halves of an array, multiplies the differences by roots of unity,
and stores both where the next stage finds its halves (Stockham's order), so all accesses are
contiguous. Real and imaginary parts are separate arrays meanwhile.
"""

from __future__ import annotations

import cmath
import math
from typing import Final

from oakum import dtypes
from oakum.compile.llvm.llvm_function import Function
from oakum.compile.llvm.llvm_value import Value, constant, scalar_type, suffix
from oakum.compile.native.target import Target
from oakum.compile.problems.problem import Fourier
from oakum.lax.options import FftType

_STEP_NS: Final = 0.2
"""The time of one multiplication. With the one below it estimates 295 us for 64 transforms of
1024 points (68 measured on AVX-512).
"""

_ELEMENT_NS: Final = 0.5
"""The time to copy one element in and out."""

_LONGEST: Final = 2048
"""The longest transform. Measured: 2048 points are 1.3 times slower as passes of nests (at half of
this), 4096 points within 4% of either.
"""


def takes(problem: Fourier) -> bool:
    """Returns whether there is code for a length."""
    return 2 <= problem.length <= _LONGEST and problem.length.bit_count() == 1


def cost_ns(problem: Fourier) -> float:
    """Returns the estimated time on one thread."""
    return problem.steps * _STEP_NS + problem.size * _ELEMENT_NS


def scratch(problem: Fourier, target: Target) -> int:
    """Returns the elements of scratch memory: both parts of an array, twice."""
    return 4 * problem.length


def write(f: Function, problem: Fourier) -> None:
    """Writes the items: arrays."""
    with f.loop(Value("%begin", dtypes.int64), Value("%end", dtypes.int64)) as loop:
        _Writer(f, problem, loop.index).write()


_Parts = tuple[str, str]


class _Writer:
    """One item."""

    def __init__(self, f: Function, problem: Fourier, item: Value) -> None:
        n, dtype = problem.length, problem.dtype
        self._f, self._problem = f, problem
        self._n, self._dtype = n, dtype
        self._width = min(f.target.width(dtype), n // 2)
        half = 2 * (n // 2 + 1)
        sizes = {FftType.RFFT: (n, half), FftType.IRFFT: (half, n)}.get(problem.type, (2 * n,) * 2)
        self._given, self._result = (
            f.pointer(f"%given{number}", f.mul_index(item, size), dtype)
            for number, size in enumerate(sizes)
        )
        places = [f.pointer("%scratch", number * n, dtype) for number in range(4)]
        self._ways: tuple[_Parts, _Parts] = (places[0], places[1]), (places[2], places[3])

    def write(self) -> None:
        """Writes the item."""
        source, target = self._ways
        match self._problem.type:
            case FftType.RFFT:
                self._take_real(source)
            case FftType.IRFFT:
                self._take_half(source)
            case _:
                self._take(source)
        step = 1
        while step < self._n:
            self._stage(source, target, step)
            source, target = target, source
            step *= 2
        self._give(source)

    # Apart, and together again.

    def _take(self, to: _Parts) -> None:
        f, width = self._f, self._width
        with f.loop(0, self._n, width) as loop:
            both = f.load(self._given, f.mul(loop.index, 2), self._dtype, 2 * width)
            for part, place in enumerate(to):
                lanes = list(range(part, 2 * width, 2))
                one = f.lane(both, part) if width == 1 else f.shuffle(both, both, lanes)
                f.store(one, place, loop.index)

    def _take_real(self, to: _Parts) -> None:
        f, width = self._f, self._width
        with f.loop(0, self._n, width) as loop:
            f.store(f.load(self._given, loop.index, self._dtype, width), to[0], loop.index)
            f.store(constant(0.0, self._dtype, width), to[1], loop.index)

    def _take_half(self, to: _Parts) -> None:
        """Completes a half spectrum: the second half is the conjugate of the first, reversed."""
        f, dtype, middle = self._f, self._dtype, self._n // 2
        zero = constant(0.0, dtype)
        for place in (0, middle):
            f.store(f.load(self._given, 2 * place, dtype), to[0], place)
            f.store(zero, to[1], place)
        with f.loop(1, middle) as loop:
            other = f.sub(f.index(self._n), loop.index)
            at = f.mul(loop.index, 2)
            real = f.load(self._given, at, dtype)
            imaginary = f.load(self._given, f.add(at, 1), dtype)
            f.store(real, to[0], loop.index)
            f.store(imaginary, to[1], loop.index)
            f.store(real, to[0], other)
            f.store(f.neg(imaginary), to[1], other)

    def _give(self, source: _Parts) -> None:
        f, width, dtype, kind = self._f, self._width, self._dtype, self._problem.type
        count = self._n // 2 if kind is FftType.RFFT else self._n
        with f.loop(0, count, width) as loop:
            parts = [f.load(place, loop.index, dtype, width) for place in source]
            if self._problem.is_inverse:
                parts = [f.mul(x, 1.0 / self._n) for x in parts]
            if kind is FftType.IRFFT:
                f.store(parts[0], self._result, loop.index)
            else:
                self._store_in_turns(parts, f.mul(loop.index, 2))
        if kind is FftType.RFFT:
            for part, place in enumerate(source):
                f.store(f.load(place, count, dtype), self._result, 2 * count + part)

    def _store_in_turns(self, parts: list[Value], at: Value) -> None:
        f, width = self._f, self._width
        if width == 1:
            for number, part in enumerate(parts):
                f.store(part, self._result, f.add(at, number))
            return
        lanes = [lane for n in range(width) for lane in (n, width + n)]
        f.store(f.shuffle(parts[0], parts[1], lanes), self._result, at)

    # The stages.

    def _stage(self, source: _Parts, target: _Parts, step: int) -> None:
        """Writes a stage on `step` arrays, whose elements are interleaved."""
        f, n, width, dtype = self._f, self._n, self._width, self._dtype
        half = n // 2
        with f.loop(0, half, width) as loop:
            t = loop.index
            one = [f.load(place, t, dtype, width) for place in source]
            two = [f.load(place, f.add(t, half), dtype, width) for place in source]
            sums = [f.add(x, y) for x, y in zip(one, two, strict=True)]
            rests = [f.sub(x, y) for x, y in zip(one, two, strict=True)]
            if step < half:
                rests = self._turned(rests, t, step)
            for total, rest, place in zip(sums, rests, target, strict=True):
                if step >= width:
                    at = f.add(t, f.bit_and(t, -step))
                    f.store(total, place, at)
                    f.store(rest, place, f.add(at, step))
                    continue
                lanes = [
                    lane + start
                    for block in range(0, width, step)
                    for start in (0, width)
                    for lane in range(block, block + step)
                ]
                f.store(f.shuffle(total, rest, lanes), place, f.mul(t, 2))

    def _turned(self, parts: list[Value], t: Value, step: int) -> list[Value]:
        """Returns products with the roots of unity of a stage."""
        f, width, dtype = self._f, self._width, self._dtype
        roots: list[Value] = []
        for table in self._tables():
            if step >= width:
                root = f.splat(f.load(table, f.bit_and(t, -step), dtype), width)
            else:
                root = f.load(table, t, dtype, width)
                if step > 1:
                    root = f.shuffle(root, root, [n // step * step for n in range(width)])
            roots.append(root)
        (x, y), (cosine, sine) = parts, roots
        return [
            f.sub(f.mul(x, cosine), f.mul(y, sine)),
            f.add(f.mul(x, sine), f.mul(y, cosine)),
        ]

    def _tables(self) -> list[str]:
        """Returns the parts of the roots of unity, first half only."""
        f, n, dtype = self._f, self._n, self._dtype
        sign = 1 if self._problem.is_inverse else -1
        roots = [cmath.rect(1.0, sign * 2 * math.pi * k / n) for k in range(n // 2)]
        found: list[str] = []
        for part in ("real", "imag"):
            name = f"oakum.root.{part}.{sign * n}.{suffix(dtype, 1)}".replace("-", "m")
            numbers = ", ".join(
                f"{scalar_type(dtype)} {constant(getattr(root, part), dtype).text}"
                for root in roots
            )
            kind = f"[{n // 2} x {scalar_type(dtype)}]"
            f.requirements[name] = f"@{name} = internal constant {kind} [{numbers}], align 64"
            found.append(f"@{name}")
        return found
