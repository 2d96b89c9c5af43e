"""The generators of Random123 that JAX has beside its default."""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import ModuleType
from typing import Any, Final

from oakum import dtypes
from oakum.primitives.random import hashes
from oakum.primitives.random.prng_impls import Generator, Shape, columns, of_width, positions
from oakum.values import host

Hash = Callable[..., list[Any]]


def _zero_like(xp: ModuleType, count: int, words: host.Array) -> list[Any]:
    return [xp.zeros_like(words)] * count


def _seed_from_zero(
    hash_: Hash, words: int, xp: ModuleType, low: host.Array, high: host.Array
) -> Any:
    """Returns the hash of a seed under a key of zeros."""
    counters = 2 if hash_ is hashes.philox_2x32 else 4
    zeros = [xp.zeros_like(low)] * 4
    out = hash_(xp, zeros[:words], [high, low, *zeros][:counters])
    return xp.stack(out[:words], -1)


def _seed_as_key(xp: ModuleType, low: host.Array, high: host.Array) -> Any:
    """Returns the hash of zeros under a seed."""
    zeros = _zero_like(xp, 4, low)
    return xp.stack(hashes.threefry_4x32(xp, [high, low, *zeros[:2]], zeros), -1)


def _split(hash_: Hash, xp: ModuleType, words: host.Array, shape: Shape) -> Any:
    high, low = (xp.broadcast_to(each, shape) for each in positions(xp, shape))
    counters = [high, low] if hash_ is hashes.philox_2x32 else [*_zero_like(xp, 2, low), high, low]
    out = hash_(xp, columns(words, len(shape)), counters)
    return xp.stack(out[: words.shape[-1]], -1)


def _fold_in(hash_: Hash, xp: ModuleType, words: host.Array, data: host.Array) -> Any:
    counters = 2 if hash_ is hashes.philox_2x32 else 4
    out = hash_(xp, columns(words, 0), [*_zero_like(xp, counters - 1, data), data])
    return xp.stack(out[: words.shape[-1]], -1)


def _draw(hash_: Hash, xp: ModuleType, words: host.Array, width: int, shape: Shape) -> Any:
    high, low = (xp.broadcast_to(each, shape) for each in positions(xp, shape))
    two = hash_ is hashes.philox_2x32
    counters = [high, low] if two else [high, low, *_zero_like(xp, 2, low)]
    out = hash_(xp, columns(words, len(shape)), counters)
    if width < 64:
        return functools.reduce(lambda a, b: a ^ b, out).astype(f"uint{width}")
    if hash_ is hashes.threefry_4x32:
        out = [out[0] ^ out[2], out[1] ^ out[3]]
    return of_width(xp, 64, None, out[0], out[1])


THREEFRY_4X32: Final = Generator(
    "threefry4x32",
    "fry4",
    4,
    dtypes.key_fry4,
    _seed_as_key,
    functools.partial(_split, hashes.threefry_4x32),
    functools.partial(_fold_in, hashes.threefry_4x32),
    functools.partial(_draw, hashes.threefry_4x32),
)
PHILOX_2X32: Final = Generator(
    "philox2x32",
    "phx2",
    1,
    dtypes.key_phx2,
    functools.partial(_seed_from_zero, hashes.philox_2x32, 1),
    functools.partial(_split, hashes.philox_2x32),
    functools.partial(_fold_in, hashes.philox_2x32),
    functools.partial(_draw, hashes.philox_2x32),
)
PHILOX_4X32: Final = Generator(
    "philox4x32",
    "phx4",
    2,
    dtypes.key_phx4,
    functools.partial(_seed_from_zero, hashes.philox_4x32, 2),
    functools.partial(_split, hashes.philox_4x32),
    functools.partial(_fold_in, hashes.philox_4x32),
    functools.partial(_draw, hashes.philox_4x32),
)
