# pyright: basic
# Lambdas that are given to transformations have no types of their own for the strict mode.
"""The greatest elements that compiled programs find are those that evaluation finds.

What fails here gives users of `top_k` other elements, or another order of equal ones, in `jit`.
"""

from __future__ import annotations

import numpy as np
import pytest
from tests.engine.compiled_programs import compare_compiled

import oakum
from oakum import dtypes
from oakum.primitives.rules.lowering import MACHINE
from oakum.primitives.sorting import top_k_p
from oakum.values import host

SHAPES = (((100,), 0), ((5, 33), 1), ((20, 3, 4), 0), ((2, 1000), 1), ((2, 17, 5), 1), ((0, 4), 1))


def draw(source: np.random.Generator, shape: tuple[int, ...], kind: str) -> np.ndarray:
    """Numbers of which many are equal, and special ones among floats."""
    if kind == "bool":
        return source.random(shape) < 0.3
    if kind.startswith(("int", "uint")):
        info = np.iinfo(kind)
        wide = source.integers(info.min, info.max, shape, kind, endpoint=True)
        return np.where(source.random(shape) < 0.3, np.array(3, kind), wide)
    special = source.choice([0.0, -0.0, np.inf, -np.inf, np.nan, -np.nan, 1.0], shape)
    raw = np.where(source.random(shape) < 0.2, special, source.normal(size=shape))
    return raw.astype(host.dtype(dtypes.DTYPES[kind]))


@pytest.mark.parametrize("kind", sorted(each.name for each in MACHINE))
def test_the_greatest_of_every_dtype(kind: str) -> None:
    source = np.random.default_rng(0)
    counts = (1, 2, 5, 31)
    with oakum.enable_x64(True):
        for number, (shape, axis) in enumerate(SHAPES):
            k = min(counts[number % 4], shape[axis])
            operand = draw(source, shape, kind)
            compare_compiled(lambda x, k=k, axis=axis: top_k_p.bind(x, k=k, axis=axis), operand)


def test_none_all_and_many() -> None:
    x = np.random.default_rng(0).normal(size=(3, 50)).astype("float32")
    for k in (0, 32, 50):
        compare_compiled(lambda x, k=k: oakum.lax.top_k(x, k), x)
    compare_compiled(lambda x: oakum.lax.top_k(x, 40), np.tile(x, 3), host="top_k")


def test_ascending_lines() -> None:
    x = np.arange(300_000, dtype="float32").reshape(3, -1)
    compare_compiled(lambda x: oakum.lax.top_k(x, 7), x)
