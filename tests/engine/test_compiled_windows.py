# pyright: basic
# Functions of arrays that are tracers as well have no types for the strict mode.
"""What windows choose is chosen by compiled code as by evaluation: pooling and its gradient."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
from compiled_programs import compare_compiled
from hypothesis import given, settings
from hypothesis import strategies as st

import oakum
from oakum import dtypes, lax
from oakum.primitives.conv_windows import Windows
from oakum.primitives.window_selection import select_and_gather_add_p, select_and_scatter_add_p
from oakum.values import host

DTYPES = "int8 uint8 int32 bfloat16 float16 float32 float64".split()


def numbers(chance: random.Random, shape: tuple[int, ...], dtype: str) -> Any:
    """Few different numbers, so that some are equal; and some that are none."""
    raw = np.random.default_rng(chance.randrange(1 << 30)).integers(0, 5, shape)
    array = raw.astype(host.dtype(dtypes.DTYPES[dtype]))
    if "float" in dtype and array.size > 3 and chance.random() < 0.5:
        flat = array.reshape(-1)
        for special in (np.nan, np.inf, -np.inf, -0.0):
            flat[chance.randrange(flat.size)] = special
    return array


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32))
def test_elements_are_chosen_as_by_evaluation(seed: int) -> None:
    chance = random.Random(seed)
    rank = chance.randint(1, 3)
    shape = tuple(chance.randint(1, 7) for _ in range(rank))
    sizes = tuple(chance.randint(1, min(n, 3)) for n in shape)
    strides = tuple(chance.randint(1, 4) for _ in shape)
    pads = tuple((chance.randint(0, 2), chance.randint(0, 2)) for _ in shape)
    ones = (1,) * rank
    windows = Windows(sizes, strides, pads, ones, ones)
    operand = numbers(chance, shape, chance.choice(DTYPES))
    source = numbers(chance, windows.shape(shape), chance.choice(DTYPES))
    tangents = numbers(chance, shape, chance.choice(DTYPES))
    select = chance.choice(("ge", "le"))
    params = {"select": select, **windows.params()}
    with oakum.enable_x64(True), np.errstate(all="ignore"):
        compare_compiled(
            lambda s, x: select_and_scatter_add_p.bind(s, x, **params),
            source,
            operand,
            nan_bits=False,
        )
        compare_compiled(
            lambda t, x: select_and_gather_add_p.bind(t, x, **params),
            tangents,
            operand,
            nan_bits=False,
        )


def test_the_gradient_of_pooling_is_compiled() -> None:
    x = np.random.default_rng(0).standard_normal((2, 9, 8, 5)).astype("float32")

    def pooled(x: Any) -> Any:
        window = (1, 3, 2, 1)
        return (lax.reduce_window(x, -np.inf, lax.max, window, (1, 2, 2, 1), "SAME") ** 2).sum()

    compare_compiled(oakum.grad(pooled), x, near=1e-6)
