# pyright: basic
# Lambdas that are given to transformations have no types of their own for the strict mode.
"""Compiled pads give what their evaluation gives, whatever is put around, between or taken away.

A pad that fails here leaves elements that nobody wrote, which the user finds as arbitrary numbers.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engine.compiled_programs import compare_compiled

import oakum
import oakum.numpy as jnp
from oakum import lax
from oakum.primitives.padding import pad_p


def draw(seed: int) -> tuple[tuple[int, ...], tuple[tuple[int, int, int], ...]]:
    """A shape, and what is put before, after and between along its axes."""
    chance = random.Random(seed)
    shape: list[int] = []
    config: list[tuple[int, int, int]] = []
    spaced = chance.random() < 0.4
    while len(shape) < chance.randint(0, 4):
        size = chance.choice([0, 1, 2, 5, 17])
        between = chance.randint(0, 2) if spaced else 0
        spread = size + max(size - 1, 0) * between
        low, high = chance.randint(-3, 4), chance.choice([-2, 0, 0, 1, 9])
        if spread + low + high >= 0:
            shape.append(size)
            config.append((low, high, between))
    return tuple(shape), tuple(config)


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 2**32), st.sampled_from("bool int8 int16 float32 float64".split()))
def test_pads_of_every_form(seed: int, dtype: str) -> None:
    shape, config = draw(seed)
    with oakum.enable_x64(True):
        operand = np.random.default_rng(seed).integers(0, 9, shape).astype(dtype)

        def function(x: Any, value: Any) -> Any:
            return lax.pad(x, value, config), lax.pad(jnp.where(x > 0, x, x), value, config)

        compare_compiled(function, operand, np.ones((), dtype))


@pytest.mark.parametrize("shape", [(1000, 999), (40, 33, 70), (300_000,)])
def test_large_pads_of_what_is_computed(shape: tuple[int, ...]) -> None:
    x = np.random.default_rng(0).normal(size=shape).astype("float32")
    compare_compiled(lambda x: jnp.pad(x * 2, 3, constant_values=7) + 1, x)
    compare_compiled(
        lambda x: (jnp.pad(x, 1), jnp.pad(x[1:], ((0, 5), *[(2, 0)] * (x.ndim - 1)))), x
    )


@pytest.mark.parametrize(
    "config", [((0, 0, 0), (1, 2, 0)), ((2, 1, 0), (0, 0, 0)), ((1, 1, 0),) * 2]
)
def test_no_element_is_written_twice(config: tuple[tuple[int, int, int], ...]) -> None:
    """Writing memory is all that a pad costs."""
    shape = tuple(n + low + high for n, (low, high, _) in zip((4, 5), config, strict=True))
    parts = pad_p.lower.parts(shape, [(4, 5), ()], padding_config=config)
    assert not any(part.over for part in parts)
    assert sum(np.prod(part.shape) for part in parts) == np.prod(shape)
