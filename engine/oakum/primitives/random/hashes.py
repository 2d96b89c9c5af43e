"""The hashes of counters that the generators are made of, on arrays of the host.

Each takes the host's library, the words of the key and the words of the counters, all of 32 bits
and of shapes that broadcast together, and returns as many words as the counters have. They are
those of Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Any, Final

from oakum.primitives import random
from oakum.values import host

_BLOCK: Final = 1 << 14
"""So many counters are hashed at a time: the words stay in the processor's cache."""

_FEW: Final = 6
"""So many counters are hashed one by one: numbers of Python are faster than small arrays."""

PARITY: Final = 0x1BD11BDA
ROTATIONS_2: Final = ((13, 15, 26, 6), (17, 29, 16, 24))
_ROTATIONS_4: Final = (
    (10, 26),
    (11, 21),
    (13, 27),
    (23, 5),
    (6, 20),
    (17, 11),
    (25, 10),
    (18, 20),
)
_MASK: Final = 0xFFFFFFFF


def threefry_2x32(xp: ModuleType, key: Sequence[Any], counters: Sequence[Any]) -> list[Any]:
    """Hashes two words with two words of key, in 20 rounds; an operation where it is traced."""
    if xp is not host.np:
        return random.threefry.threefry2x32_p.bind(*key, *counters)
    shape = xp.broadcast_shapes(*(xp.shape(each) for each in (*key, *counters)))
    size = 1
    for each in shape:
        size *= each
    if size <= _FEW:
        columns = [xp.broadcast_to(each, shape).reshape(-1).tolist() for each in (*key, *counters)]
        pairs = [_single_2x32(*each) for each in zip(*columns, strict=True)]
        words = xp.array(pairs, xp.uint32).reshape((*shape, 2))
        return [words[..., 0], words[..., 1]]
    x0, x1 = (_flat(xp, each, shape) for each in counters)
    k0, k1 = (_flat(xp, each, shape) if xp.size(each) > 1 else each for each in key)
    k0, k1 = (xp.reshape(each, (-1,)) for each in (k0, k1))
    keys = (k0, k1, k0 ^ k1 ^ xp.uint32(PARITY))
    results = xp.empty((2, size), xp.uint32)
    for start in range(0, size, _BLOCK):
        part = slice(start, start + _BLOCK)
        local = [each if each.size == 1 else each[part] for each in keys]
        results[0, part], results[1, part] = _rounds_2x32(xp, local, x0[part], x1[part])
    return [results[0].reshape(shape), results[1].reshape(shape)]


def _flat(xp: ModuleType, words: host.Array, shape: Sequence[int]) -> Any:
    return xp.ascontiguousarray(xp.broadcast_to(words, shape)).reshape(-1)


def _rounds_2x32(xp: ModuleType, keys: Sequence[Any], x0: object, x1: object) -> tuple[Any, Any]:
    left, right = x0 + keys[0], x1 + keys[1]
    spare = xp.empty_like(right)
    for group in range(5):
        for rotation in ROTATIONS_2[group % 2]:
            left += right
            xp.right_shift(right, xp.uint32(32 - rotation), out=spare)
            xp.left_shift(right, xp.uint32(rotation), out=right)
            right |= spare
            right ^= left
        left += keys[(group + 1) % 3]
        right += keys[(group + 2) % 3]
        right += xp.uint32(group + 1)
    return left, right


def _single_2x32(k0: int, k1: int, x0: int, x1: int) -> tuple[int, int]:
    """Returns the hash of one counter."""
    keys = (k0, k1, k0 ^ k1 ^ PARITY)
    x0, x1 = (x0 + k0) & _MASK, (x1 + k1) & _MASK
    for group in range(5):
        for rotation in ROTATIONS_2[group % 2]:
            x0 = (x0 + x1) & _MASK
            x1 = (x1 << rotation & _MASK | x1 >> 32 - rotation) ^ x0
        x0 = (x0 + keys[(group + 1) % 3]) & _MASK
        x1 = (x1 + keys[(group + 2) % 3] + group + 1) & _MASK
    return x0, x1


def threefry_4x32(xp: ModuleType, key: Sequence[Any], counters: Sequence[Any]) -> list[Any]:
    """Hashes four words with four words of key, in 20 rounds."""
    keys = [xp.asarray(each) for each in key]
    keys.append(keys[0] ^ keys[1] ^ keys[2] ^ keys[3] ^ xp.uint32(PARITY))
    words = [x + k for x, k in zip(counters, keys, strict=False)]
    for round_ in range(20):
        partners = ((0, 1), (2, 3)) if round_ % 2 == 0 else ((0, 3), (2, 1))
        for (a, b), rotation in zip(partners, _ROTATIONS_4[round_ % 8], strict=True):
            words[a] = words[a] + words[b]
            turned = words[b] << xp.uint32(rotation) | words[b] >> xp.uint32(32 - rotation)
            words[b] = turned ^ words[a]
        if round_ % 4 == 3:
            at = round_ // 4 + 1
            words = [x + keys[(at + i) % 5] for i, x in enumerate(words)]
            words[3] = words[3] + xp.uint32(at)
    return words


def philox_2x32(xp: ModuleType, key: Sequence[Any], counters: Sequence[Any]) -> list[Any]:
    """Hashes two words with one word of key, in 10 rounds."""
    (k0,) = (xp.asarray(each, xp.uint32) for each in key)
    x0, x1 = counters
    for round_ in range(10):
        high, low = _product(xp, x0, 0xD256D193)
        x0, x1 = high ^ x1 ^ (k0 + xp.uint32(round_ * 0x9E3779B9 & _MASK)), low
    return [x0, x1]


def philox_4x32(xp: ModuleType, key: Sequence[Any], counters: Sequence[Any]) -> list[Any]:
    """Hashes four words with two words of key, in 10 rounds."""
    k0, k1 = (xp.asarray(each, xp.uint32) for each in key)
    x0, x1, x2, x3 = counters
    for round_ in range(10):
        high0, low0 = _product(xp, x0, 0xD2511F53)
        high1, low1 = _product(xp, x2, 0xCD9E8D57)
        x0 = high1 ^ x1 ^ (k0 + xp.uint32(round_ * 0x9E3779B9 & _MASK))
        x2 = high0 ^ x3 ^ (k1 + xp.uint32(round_ * 0xBB67AE85 & _MASK))
        x1, x3 = low1, low0
    return [x0, x1, x2, x3]


def _product(xp: ModuleType, x: host.Array, factor: int) -> tuple[Any, Any]:
    """Returns the high and the low word of a product."""
    wide = xp.asarray(x, xp.uint64) * xp.uint64(factor)
    return (wide >> xp.uint64(32)).astype(xp.uint32), wide.astype(xp.uint32)
