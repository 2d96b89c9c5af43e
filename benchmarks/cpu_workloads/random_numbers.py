# pyright: basic
# Functions of whichever module they are given have no types for the strict mode.
"""Random bits and what is made of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from cpu_workloads.rows import Call, Row

GENERATOR = np.random.default_rng(0)
MILLION = (1_000_000,)


def rows() -> Iterator[Row]:
    """Generators of arrays, and the handling of keys."""
    f32 = np.float32
    yield _row("bits, 1e+06", lambda j, k: j.random.bits(k, MILLION), _bits)
    for shape in ((1000,), MILLION):
        count = f"{shape[0]:.0e}"
        yield _row(
            f"normal, {count}",
            lambda j, k, s=shape: j.random.normal(k, s, f32),
            lambda s=shape: GENERATOR.standard_normal(s, f32),
        )
        yield _row(
            f"uniform, {count}",
            lambda j, k, s=shape: j.random.uniform(k, s, f32),
            lambda s=shape: GENERATOR.random(s, f32),
        )
    yield _row("randint, 1e+06", lambda j, k: j.random.randint(k, MILLION, 0, 1000), _whole)
    yield _row("bernoulli, 1e+06", lambda j, k: j.random.bernoulli(k, 0.3, MILLION))
    yield _row("exponential, 1e+06", lambda j, k: j.random.exponential(k, MILLION, f32))
    yield _row("gumbel, 1e+05", lambda j, k: j.random.gumbel(k, (100_000,), f32))
    yield _row("categorical, 1000 of 100", _categorical)
    yield _row("truncated normal, 1e+05", _truncated)
    yield _row("permutation, 1e+05", lambda j, k: j.random.permutation(k, 100_000), _permuted)
    yield _row("split in 2", lambda j, k: j.random.key_data(j.random.split(k)))
    yield _row("split in 1000", lambda j, k: j.random.key_data(j.random.split(k, 1000)))
    yield _row("fold_in", lambda j, k: j.random.key_data(j.random.fold_in(k, 7)))
    yield _row("dropout, 1000x1000", _dropout)
    yield Row("key, not compiled", _new_key)
    yield Row("split, not compiled", _split)


def _row(name: str, function: Callable[..., Any], numpy: Callable[[], Any] | None = None) -> Row:
    def build(j: Any) -> Call:
        names = {"f": j.jit(lambda key: function(j, key)), "key": j.random.key(0)}
        return Call("f(key).block_until_ready()", names)

    return Row(name, build, None if numpy is None else lambda: Call("f()", {"f": numpy}))


def _bits() -> Any:
    return GENERATOR.integers(0, 1 << 32, MILLION, np.uint32)


def _whole() -> Any:
    return GENERATOR.integers(0, 1000, MILLION, np.int32)


def _permuted() -> Any:
    return GENERATOR.permutation(100_000)


def _categorical(j: Any, key: Any) -> Any:
    logits = j.numpy.arange(100, dtype=j.numpy.float32) * 0.01
    return j.random.categorical(key, logits, shape=(1000,))


def _truncated(j: Any, key: Any) -> Any:
    return j.random.truncated_normal(key, -2.0, 2.0, (100_000,), j.numpy.float32)


def _dropout(j: Any, key: Any) -> Any:
    kept = j.random.bernoulli(key, 0.9, (1000, 1000))
    return j.numpy.where(kept, j.numpy.float32(1 / 0.9), 0)


def _new_key(j: Any) -> Call:
    return Call("j.random.key_data(j.random.key(3)).block_until_ready()", {"j": j})


def _split(j: Any) -> Call:
    names = {"j": j, "key": j.random.key(0)}
    return Call("j.random.key_data(j.random.split(key)).block_until_ready()", names)
