# pyright: basic
# Lambdas that are given to transformations have no types of their own for the strict mode.
"""Compiled running reductions give what their evaluation gives, along every axis and both ways.

What fails here gives users of `cumsum` and its kin other numbers in `jit` than without it.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engine.compiled_programs import compare_compiled

import oakum
import oakum.numpy as jnp
from oakum import dtypes, lax
from oakum.primitives.rules.lowering import MACHINE
from oakum.values import host

FUNCTIONS = (lax.cumsum, lax.cumprod, lax.cummax, lax.cummin)
KINDS = sorted((each for each in MACHINE if each is not dtypes.bool_), key=str)


@pytest.fixture(autouse=True)
def _wide() -> Iterator[None]:
    with oakum.enable_x64(True), np.errstate(all="ignore"):
        yield


def draw(
    source: np.random.Generator, shape: tuple[int, ...], kind: str, *, one: bool
) -> np.ndarray:
    """Numbers, and special ones among floats; near one, for products."""
    if kind.startswith(("int", "uint")):
        return source.integers(0, 100, shape).astype(kind)
    raw = source.normal(1.0, 0.05, shape) if one else source.normal(0, 3, shape)
    special = source.choice([-0.0, 0.0, np.inf, np.nan], shape)
    raw = np.where(source.random(shape) < 0.02, special, raw)
    return raw.astype(host.dtype(dtypes.DTYPES[kind]))


@settings(deadline=None, max_examples=30)
@given(
    st.integers(0, 2**32),
    st.sampled_from(FUNCTIONS),
    st.sampled_from([each.name for each in KINDS]),
    st.booleans(),
)
def test_accumulations_of_every_form(seed: int, function, kind: str, reverse: bool) -> None:
    source = np.random.default_rng(seed)
    rank = int(source.integers(1, 5))
    axis = int(source.integers(rank))
    shape = tuple(int(source.choice([0, 1, 2, 3, 7, 33][seed % 7 > 0 :])) for _ in range(rank))
    length = int(source.choice([1, 16, 17, 31, 64, 100]))
    shape = (*shape[:axis], length, *shape[axis + 1 :])
    with oakum.enable_x64(True), np.errstate(all="ignore"):
        operand = draw(source, shape, kind, one=function is lax.cumprod)
        adds = function in (lax.cumsum, lax.cumprod)
        compare_compiled(
            lambda x: function(x, axis=axis, reverse=reverse),
            operand,
            near={"bfloat16": 3e-2, "float16": 3e-2, "float64": 1e-11}.get(kind, 1e-4) * adds,
            nan_bits=False,
            signed_zeros=False,
        )


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize(
    "shape", [(70_001,), (300, 401), (40, 33, 70), (3, 20, 3000), (2, 3000, 5)]
)
def test_large_accumulations(shape: tuple[int, ...], reverse: bool) -> None:
    x = np.random.default_rng(0).integers(-9, 9, shape)
    for axis in range(len(shape)):
        compare_compiled(lambda x, axis=axis: lax.cumsum(x, axis=axis, reverse=reverse), x)
        compare_compiled(lambda x, axis=axis: lax.cummax(x, axis=axis, reverse=reverse), x)


def test_sums_keep_the_sign_of_zeros_that_come_first() -> None:
    x = np.full((20, 20), -0.0)
    for axis in (0, 1):
        compare_compiled(lambda x, axis=axis: lax.cumsum(x, axis=axis), x)


def test_accumulations_between_other_operations() -> None:
    x = np.random.default_rng(1).integers(-9, 9, (60, 50))

    def function(x):
        y = jnp.cumsum(x * 2 + 1, axis=0)
        return (jnp.cumsum(y.T, axis=0) - y.T).sum(0), jnp.cumsum(y)[::2], y

    compare_compiled(function, x)
    compare_compiled(
        lambda x: lax.scan(lambda c, r: (c + jnp.cumsum(r), jnp.cumsum(c)), x[0], x), x
    )


def test_kinds_without_code_stay_on_the_host() -> None:
    compare_compiled(lambda x: lax.cumlogsumexp(x), np.arange(30.0), host="cumlogsumexp")


def test_complex_numbers_are_accumulated_natively() -> None:
    compare_compiled(lambda x: jnp.cumsum(x), np.arange(30) * (1 + 2j))
