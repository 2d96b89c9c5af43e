"""The option `jax_captured_constants_warn_bytes`: what a user reads whose program holds data."""

from __future__ import annotations

import warnings
from collections.abc import Generator
from typing import Any

import pytest

import oakum as jax
import oakum.numpy as jnp
from oakum.errors import CapturedConstantsWarning

TABLE = jnp.ones((100, 100))


def look_up(x: Any) -> Any:
    return TABLE @ x


@pytest.fixture(autouse=True)
def _limit() -> Generator[None]:
    before = jax.config.jax_captured_constants_warn_bytes
    jax.config.update("jax_captured_constants_warn_bytes", 10_000)
    yield
    jax.config.update("jax_captured_constants_warn_bytes", before)


def test_a_warning_names_the_function_its_call_and_the_array() -> None:
    """Without the name a user searches all arrays of a program for the one that makes it large."""
    with pytest.warns(CapturedConstantsWarning) as caught:
        jax.jit(look_up)(jnp.ones(100))
    text = str(caught[0].message)
    assert "look_up`, called at " in text
    assert "test_captured_constants.py" in text
    assert "`TABLE` (float32[100,100], 40.0 kB)" in text
    assert "OAK705" in text


def test_what_an_inner_function_captures_counts_once_and_is_told_once() -> None:
    """Two warnings of one array, or its size twice, would have a user look for a second array."""
    table = jnp.ones((100, 100))

    @jax.jit
    def inner(x: Any) -> Any:
        return table @ x

    @jax.jit
    def outer(x: Any) -> Any:
        return inner(x) + table @ x

    with pytest.warns(CapturedConstantsWarning) as caught:
        outer(jnp.ones(100))
    assert len(caught) == 1
    assert "captures 40.0 kB" in str(caught[0].message)


@pytest.mark.parametrize("nested", ["jit", "scan"])
def test_what_only_a_part_of_the_program_captures_is_seen(nested: str) -> None:
    """Most captured weights are those of the body of a scan, or of an inner jitted function."""
    inner = jax.jit(look_up)

    def step(carry: Any, _: Any) -> tuple[Any, None]:
        return look_up(carry), None

    def outer(x: Any) -> Any:
        return inner(x) if nested == "jit" else jax.lax.scan(step, x, None, length=2)[0]

    with pytest.warns(CapturedConstantsWarning, match="`outer`, called at"):
        jax.jit(outer)(jnp.ones(100))


@pytest.mark.parametrize("limit", [-1, 50_000])
def test_nothing_is_said_below_the_limit_of_arguments_or_where_it_is_off(limit: int) -> None:
    """A warning that cannot be turned off, or that accuses arguments, is noise."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        jax.jit(jnp.matmul)(TABLE, jnp.ones(100))
        jax.config.update("jax_captured_constants_warn_bytes", limit)
        jax.jit(look_up)(jnp.ones(100))
