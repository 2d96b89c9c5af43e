# pyright: basic
# Arrays of dtypes that NumPy does not know have no types for the strict mode.
"""Random shapes and numbers, among them those that code gets wrong first."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np

from oakum.dtypes import DType, Kind
from oakum.runtime.arrays import ArrayImpl, wrap
from oakum.values import host
from oakum.values.avals import ShapedArray

Shape = tuple[int, ...]

SIZES = (0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33)
"""Around the widths of vectors."""
_LENGTHS = (*SIZES, 64, 100, 1000, 1025)
_MOST = 3000
"""Elements of an array; more are rare and tell nothing new."""


class Chance(random.Random):
    """Random decisions, the same whenever the seed is."""

    def often(self, probability: float) -> bool:
        """Whether something happens that does so with a probability."""
        return self.random() < probability

    def shape(self, rank: int | None = None, *, least: int = 0) -> Shape:
        """A shape: no axes, empty, of one element, odd, a little more than vectors, long."""
        if rank is None:
            rank = self.choice((0, 1, 1, 2, 2, 2, 3, 3, 4))
        while True:
            sizes = _LENGTHS if rank == 1 else SIZES if rank < 4 else SIZES[:8]
            found = tuple(max(self.choice(sizes), least) for _ in range(rank))
            # One empty array in three is enough.
            if math.prod(found) <= _MOST and (math.prod(found) or self.often(0.35)):
                return found

    def generator(self) -> np.random.Generator:
        """A generator of arrays."""
        return np.random.default_rng(self.getrandbits(32))


def array(chance: Chance, shape: Shape, dtype: DType, what: str = "any") -> ArrayImpl:
    """An array of numbers: `any`, small whole ones for `small`, or `low:high` between bounds."""
    raw = numbers(chance, math.prod(shape), dtype, what).reshape(shape)
    return wrap(laid_out(chance, raw), ShapedArray(shape, dtype))


def laid_out(chance: Chance, raw: Any) -> Any:
    """The same array, perhaps with other strides."""
    if not raw.ndim or chance.often(0.6):
        return raw
    match chance.randrange(3):
        case 0:
            return np.asfortranarray(raw)
        case 1:
            twice = np.repeat(raw, 2, axis=-1)
            return twice[..., ::2]
        case _:
            return np.flip(np.flip(raw, 0).copy(), 0)


def numbers(chance: Chance, count: int, dtype: DType, what: str) -> Any:
    """Numbers in one row."""
    rng, kind = chance.generator(), host.dtype(dtype)
    if dtype.kind is Kind.KEY:
        return rng.integers(0, 2**32, (count, dtype.bits // 32), np.uint32).view(kind).reshape(-1)
    if dtype.kind is Kind.BOOL:
        return rng.integers(0, 2, count).astype(bool)
    if dtype.kind in (Kind.INT, Kind.UINT):
        return _integers(rng, chance, count, dtype, what)
    if dtype.kind is Kind.COMPLEX:
        part = "float32" if dtype.bits == 64 else "float64"
        found = np.empty(count, kind)
        found.real, found.imag = (_floats(rng, chance, count, np.dtype(part), what) for _ in "ri")
        return found
    return _floats(rng, chance, count, kind, what)


def _bounds(what: str) -> tuple[float, float]:
    low, high = what.split(":")
    return float(low), float(high)


def _integers(rng: Any, chance: Chance, count: int, dtype: DType, what: str) -> Any:
    signed = dtype.kind is Kind.INT
    low, high = (-(1 << (dtype.bits - 1)), (1 << (dtype.bits - 1)) - 1)
    if not signed:
        low, high = 0, (1 << dtype.bits) - 1
    kind = host.dtype(dtype)
    if what != "any":
        least, most = (-3, 4) if what == "small" else _bounds(what)
        least, most = max(low, math.floor(least)), min(high, math.ceil(most))
        return rng.integers(least, max(most, least), count, endpoint=True).astype(kind)
    wide = np.int64 if signed else np.uint64
    found = rng.integers(low, high, count, wide, endpoint=True)
    near = rng.integers(max(-3, low), 4, count, endpoint=True).astype(wide)
    special = [low, low + 1, high, high - 1, 0, 1, high // 2]
    special += [x for x in (-1, dtype.bits - 1, dtype.bits, dtype.bits + 1) if low <= x <= high]
    picked = np.array([chance.choice(special) for _ in range(count)], wide)
    which = rng.integers(0, 3, count) if chance.often(0.8) else np.full(count, rng.integers(0, 3))
    return np.choose(which, [found, near, picked]).astype(kind)


_SPECIAL = (
    "nan inf -inf 0 -0.0 1 -1 0.5 -0.5 1.5 2.5 -2.5 3.5 127.5 128 255.5 256 32768 65504 65520 "
    "65536 2147483647 2147483648 -2147483648 -2147483649 4294967296 9223372036854775808 "
    "-9223372036854775808 18446744073709551616 1e10 -1e10 1e-40 -1e-40 1e-320 3e-8 -3e-8 1e38"
).split()


def _floats(rng: Any, chance: Chance, count: int, kind: Any, what: str) -> Any:
    with np.errstate(all="ignore"):
        if what == "small":
            return rng.integers(-3, 4, count).astype(kind)
        if what != "any":
            return rng.uniform(*_bounds(what), count).astype(kind)
        info = host.ml_dtypes.finfo(kind)
        edges = [info.max, info.min, info.tiny, info.smallest_subnormal, info.eps]
        special = [float(x) for x in (*_SPECIAL, *edges)]
        picked = np.array([chance.choice(special) for _ in range(count)], "float64").astype(kind)
        normal = (rng.standard_normal(count) * chance.choice((1, 3, 100))).astype(kind)
        words = rng.integers(0, 256, count * kind.itemsize, np.uint8).view(kind)
        # Which NaN it is tells nothing.
        bits = np.where(words == words, words, np.array(np.nan, kind)).astype(kind)
        which = rng.choice(3, count, p=(0.5, 0.3, 0.2))
        if chance.often(0.3):
            which = np.full(count, chance.randrange(3))
        return np.where(which == 0, normal, np.where(which == 1, picked, bits)).astype(kind)
