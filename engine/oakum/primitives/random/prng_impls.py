"""The generators: how each seeds, splits and folds its keys and draws bits from them.

A generator works on words, host arrays of shape `(*batch, words)`, whose last axis holds the words
of each key. Bits are equal to those that JAX draws.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from types import ModuleType
from typing import Any, Final

from oakum import dtypes
from oakum.dtypes import DType
from oakum.primitives.random import hashes
from oakum.values import host
from oakum.values.records import dataclass

Shape = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Generator:
    """A generator: the dtype of its keys, and its four operations.

    `seed(xp, low, high)` makes words of the two halves of seeds, `split(xp, words, shape)` returns
    words of shape `(*batch, *shape, words)`, `fold_in(xp, words, data)` those of new keys, and
    `draw(xp, words, width, shape)` bits of shape `(*batch, *shape)`. `partitionable` says whether
    each bit is a function of its position alone.
    """

    name: str
    tag: str
    words: int
    dtype: DType
    seed: Callable[..., Any]
    split: Callable[..., Any]
    fold_in: Callable[..., Any]
    draw: Callable[..., Any]
    partitionable: bool = True

    @property
    def key_shape(self) -> Shape:
        """The shape of the words of one key."""
        return (self.words,)

    def __str__(self) -> str:
        return self.tag

    def __repr__(self) -> str:
        return f"PRNGImpl[{self.tag}]"


def columns(words: host.Array, extra: int) -> list[Any]:
    """Returns the words of keys one by one, with axes for the elements of each key."""
    shape = (*words.shape[:-1], *(1,) * extra)
    return [words[..., i].reshape(shape) for i in range(words.shape[-1])]


def positions(xp: ModuleType, shape: Shape) -> tuple[Any, Any]:
    """Returns the high and the low word of the position of each element of an array."""
    size = math.prod(shape)
    if size <= 1 << 32:
        return xp.zeros((1,) * len(shape), xp.uint32), xp.arange(size, dtype=xp.uint32).reshape(
            shape
        )
    numbers = xp.arange(size, dtype=xp.uint64).reshape(shape)
    return (numbers >> xp.uint64(32)).astype(xp.uint32), numbers.astype(xp.uint32)


def of_width(
    xp: ModuleType, width: int, whole: host.Array | None, high: host.Array, low: host.Array
) -> Any:
    """Elements of a width: of a word, or for 64 bits of two."""
    if width == 64:
        return high.astype(xp.uint64) << xp.uint64(32) | low.astype(xp.uint64)
    assert whole is not None
    return whole.astype(f"uint{width}")


def _seed_pair(xp: ModuleType, low: host.Array, high: host.Array) -> Any:
    return xp.stack([high, low], -1)


def _fry_split(xp: ModuleType, words: host.Array, shape: Shape) -> Any:
    key = columns(words, len(shape))
    return xp.stack(hashes.threefry_2x32(xp, key, positions(xp, shape)), -1)


def _fry_split_in_pairs(xp: ModuleType, words: host.Array, shape: Shape) -> Any:
    count = xp.arange(2 * math.prod(shape), dtype=xp.uint32)
    return _fry_hash_flat(xp, words, count).reshape((*words.shape[:-1], *shape, 2))


def _fry_hash_flat(xp: ModuleType, words: host.Array, counts: host.Array) -> Any:
    """Hashes a sequence of counters, of which the first half is paired with the second."""
    size = counts.shape[0]
    if size % 2:
        counts = xp.concatenate([counts, xp.zeros(1, xp.uint32)])
    halves = xp.split(counts, 2)
    return xp.concatenate(hashes.threefry_2x32(xp, columns(words, 1), halves), -1)[..., :size]


def _fry_fold_in(xp: ModuleType, words: host.Array, data: host.Array) -> Any:
    key = [words[..., 0], words[..., 1]]
    return xp.stack(hashes.threefry_2x32(xp, key, [xp.zeros_like(data), data]), -1)


def _fry_draw(xp: ModuleType, words: host.Array, width: int, shape: Shape) -> Any:
    key = columns(words, len(shape))
    high, low = hashes.threefry_2x32(xp, key, positions(xp, shape))
    return of_width(xp, width, high if width == 64 else high ^ low, high, low)


def _fry_draw_in_pairs(xp: ModuleType, words: host.Array, width: int, shape: Shape) -> Any:
    size = math.prod(shape)
    count = -(-width * size // 32)
    bits = _fry_hash_flat(xp, words, xp.arange(count, dtype=xp.uint32))
    if width == 64:
        high, low = xp.split(bits, 2, -1)
        bits = of_width(xp, 64, high, high, low)
    elif width < 32:
        shifts = xp.arange(0, 32, width, dtype=xp.uint32)
        bits = (bits[..., None] >> shifts).astype(f"uint{width}")
        bits = bits.reshape((*words.shape[:-1], -1))[..., :size]
    return bits.reshape((*words.shape[:-1], *shape))


def _seed_twice(xp: ModuleType, low: host.Array, high: host.Array) -> Any:
    return xp.stack([high, low, high, low], -1)


def _by_halves(function: Callable[..., Any]) -> Callable[..., Any]:
    """Splits keys of four words as two keys of two words each."""

    def split(xp: ModuleType, words: host.Array, shape: Shape) -> Any:
        batch = words.shape[:-1]
        halves = function(xp, words.reshape((*batch, 2, 2)), shape)
        inner = xp.moveaxis(halves, len(batch), len(batch) + len(shape))
        return inner.reshape((*batch, *shape, 4))

    return split


def _rbg_fold_in(xp: ModuleType, words: host.Array, data: host.Array) -> Any:
    halves = words.reshape((*words.shape[:-1], 2, 2))
    folded = _fry_fold_in(xp, halves, xp.broadcast_to(data[..., None], (*data.shape, 2)))
    return folded.reshape((*folded.shape[:-2], 4))


def _first(words: host.Array) -> Any:
    """Returns the first key: a batch of keys of this generator draws one array from it."""
    return words.reshape(-1, words.shape[-1])[0]


def _rbg_draw(xp: ModuleType, words: host.Array, width: int, shape: Shape) -> Any:
    full = (*words.shape[:-1], *shape)
    if not words.size:
        return xp.zeros(full, f"uint{width}")
    return philox_state(xp, _first(words), math.prod(full), width)[1].reshape(full)


def _urbg_split(xp: ModuleType, words: host.Array, shape: Shape) -> Any:
    batch = words.shape[:-1]
    bits = _rbg_draw(xp, words, 32, (10 * math.prod(shape), 4))
    return bits[..., ::10, :].reshape((*batch, *shape, 4))


def _urbg_fold_in(xp: ModuleType, words: host.Array, data: host.Array) -> Any:
    seeds = _seed_twice(xp, data, xp.zeros_like(data))
    return words ^ _rbg_draw(xp, seeds, 32, (10, 4))[..., -1, :]


def philox_state(xp: ModuleType, words: host.Array, size: int, width: int) -> tuple[Any, Any]:
    """Draws a sequence of bits from a state of four words; returns the next state too.

    The first two words are the key, the last two the low part of the counter.
    """
    per_block = 2 if width == 64 else 4
    blocks = -(-size // per_block)
    low, after = _counted(xp, words, blocks)
    high = _wide(xp, words[1], words[0]) + (low < _wide(xp, words[3], words[2])).astype(xp.uint64)
    wide = (low, low >> xp.uint64(32), high, high >> xp.uint64(32))
    counters = [each.astype(xp.uint32) for each in wide]
    out = hashes.philox_4x32(xp, [words[0], words[1]], counters)
    if width == 64:
        out = [of_width(xp, 64, None, out[i + 1], out[i]) for i in (0, 2)]
    bits = xp.stack(out, -1).reshape(-1)[:size].astype(f"uint{width}")
    return after, bits


def _wide(xp: ModuleType, high: host.Array, low: host.Array) -> Any:
    return of_width(xp, 64, None, high, low)


def _counted(xp: ModuleType, words: host.Array, count: int) -> tuple[Any, Any]:
    """Returns the counters of so many blocks from a state on, and the state after them."""
    numbers = _wide(xp, words[3], words[2]) + xp.arange(count + 1, dtype=xp.uint64)
    last = numbers[count]
    ending = [last.astype(xp.uint32), (last >> xp.uint64(32)).astype(xp.uint32)]
    return numbers[:count], xp.stack([words[0], words[1], *ending])


def threefry_state(xp: ModuleType, words: host.Array, shape: Shape, width: int) -> tuple[Any, Any]:
    """Draws an array of bits from a state as `philox_state` does, with the other hash.

    The two words of a block lie side by side along the first axis of even length, or the longest.
    """
    sizes = list(shape) or [1]
    even = [i for i, size in enumerate(sizes) if size % 2 == 0]
    split = even[0] if even else sizes.index(max(sizes))
    if width < 64:
        sizes[split] = -(-sizes[split] // 2)
    counter, after = _counted(xp, words, math.prod(sizes))
    counters = [counter.astype(xp.uint32), (counter >> xp.uint64(32)).astype(xp.uint32)]
    low, high = hashes.threefry_2x32(xp, [words[0], words[1]], counters)
    if width == 64:
        return after, of_width(xp, 64, None, high, low).reshape(shape)
    pairs = xp.stack([low.reshape(sizes), high.reshape(sizes)], split + 1)
    sizes[split] *= 2
    bits = pairs.reshape(sizes).astype(f"uint{width}")
    whole = tuple(slice(size) for size in shape or (1,))
    return after, bits[whole].reshape(shape)


THREEFRY: Final = Generator(
    "threefry2x32",
    "fry",
    2,
    dtypes.key_fry,
    _seed_pair,
    _fry_split,
    _fry_fold_in,
    _fry_draw,
)
THREEFRY_IN_PAIRS: Final = Generator(
    "threefry2x32",
    "fry",
    2,
    dtypes.key_fry,
    _seed_pair,
    _fry_split_in_pairs,
    _fry_fold_in,
    _fry_draw_in_pairs,
    partitionable=False,
)
RBG: Final = Generator(
    "rbg",
    "rbg",
    4,
    dtypes.key_rbg,
    _seed_twice,
    _by_halves(_fry_split),
    _rbg_fold_in,
    _rbg_draw,
)
RBG_IN_PAIRS: Final = Generator(
    "rbg",
    "rbg",
    4,
    dtypes.key_rbg,
    _seed_twice,
    _by_halves(_fry_split_in_pairs),
    _rbg_fold_in,
    _rbg_draw,
    partitionable=False,
)
UNSAFE_RBG: Final = Generator(
    "unsafe_rbg",
    "urbg",
    4,
    dtypes.key_unsafe_rbg,
    _seed_twice,
    _urbg_split,
    _urbg_fold_in,
    _rbg_draw,
)
