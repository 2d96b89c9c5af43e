# pyright: basic
# Arrays of dtypes that NumPy does not know have no types for the strict mode.
"""Arguments of random whole programs: numbers of every dtype, in NumPy's arrays of any strides."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from tests.engine.agreement_values import Chance, Shape, numbers

from oakum import dtypes

SIZES = (0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 7, 8, 9, 16, 17)
NARROW = tuple("bool int8 int16 int32 uint8 uint16 uint32 float16 bfloat16 complex64".split())
WIDE = (*NARROW, "int64", "uint64", "float64", "complex128")
LAYOUTS = tuple(
    "plain plain plain fortran strided reversed turned broadcast misaligned read-only inner".split()
)
LARGE_SHAPES: list[Shape] = [(300, 257), (77_100,), (257,), (300, 1), (257, 300)]
_MOST = 80
"""Elements of an argument: what fails for many fails for few, and few are quick."""


def laid_out(raw: Any, layout: str) -> Any:
    """The same numbers in another layout of memory; a `broadcast` one repeats its first row."""
    match layout if raw.ndim and raw.size else "plain":
        case "fortran":
            return np.asfortranarray(raw)
        case "strided":
            return np.repeat(raw, 3, axis=-1)[..., ::3]
        case "reversed":
            return np.flip(np.flip(raw).copy())
        case "turned":
            return np.flip(np.moveaxis(np.flip(np.moveaxis(raw, -1, 0), 0).copy(), 0, -1), -1)
        case "broadcast":
            return np.broadcast_to(raw[:1], raw.shape)
        case "misaligned":
            place = np.zeros(raw.nbytes + 1, np.uint8)
            view = place[1:].view(raw.dtype).reshape(raw.shape)
            view[...] = raw
            return view
        case "read-only":
            raw = raw.copy()
            raw.flags.writeable = False
            return raw
        case "inner":
            grown = np.pad(raw.astype(raw.dtype), [(1, 2)] * raw.ndim, mode="edge")
            return grown[tuple(slice(1, -2) for _ in raw.shape)]
    return raw


@dataclass(frozen=True)
class Operand:
    """An argument of a program: what its numbers are drawn from, and how it is given."""

    shape: Shape
    dtype: str
    what: str
    seed: int
    layout: str
    scalar: bool = False
    """Whether it is given as a number of Python's, which is weakly typed."""

    def raw(self, turn: int) -> Any:
        """The argument of a call; each turn has other numbers."""
        chance = Chance(self.seed * 31 + turn)
        found = numbers(chance, math.prod(self.shape), dtypes.DTYPES[self.dtype], self.what)
        found = found.reshape(self.shape)
        if self.scalar:
            return found.reshape(()).item()
        return laid_out(found, self.layout)

    def text(self, turn: int) -> str:
        """The argument as an expression."""
        if self.scalar:
            return repr(self.raw(turn))
        if math.prod(self.shape) > 1000:
            return f"{self!r}.raw({turn})"
        raw = self.raw(turn)
        wide = raw.astype(np.float64) if raw.dtype.kind == "V" else raw
        array = f"np.array({wide.tolist()}, {self.dtype!r}).reshape({self.shape})"
        return array if self.layout == "plain" else f"laid_out({array}, {self.layout!r})"


def some_operand(chance: Chance, shapes: list[Shape], wide: bool) -> Operand:
    """An operand of one of the shapes; most have ordinary floats."""
    names = WIDE if wide else NARROW
    common = ("float32", "float32", "float32", "int32", "float64" if wide else "float32")
    dtype = chance.choice(common if chance.often(0.55) else names)
    what = chance.choice(("-2:2", "-2:2", "small", "any"))
    seed = chance.getrandbits(24)
    if chance.often(0.08):
        scalar = chance.choice(("float32", "int32", "bool", "complex64"))
        return Operand((), scalar, "small", seed, "plain", scalar=True)
    return Operand(chance.choice(shapes), dtype, what, seed, chance.choice(LAYOUTS))


def some_shapes(chance: Chance) -> list[Shape]:
    """Shapes of few sizes, so that arrays of a program fit each other."""
    a, b, c = (chance.choice(SIZES) for _ in range(3))
    if not chance.often(0.2):
        a, b, c = max(a, 1), max(b, 1), max(c, 1)
    found: list[Shape] = [(), (a,), (b,), (a, b), (b, a), (a, b), (a, 1), (1, b)]
    found += [(c, a), (2, a, b), (a, a), (b, c, a), (a * b,)]
    return [each for each in found if math.prod(each) <= _MOST]
