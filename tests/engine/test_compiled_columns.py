# pyright: basic
# Functions of arrays that are tracers as well have no types for the strict mode.
"""Reductions of columns, row after row of a block of them, in compiled programs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import oakum
from oakum import numpy as jnp

SHAPES = {(300, 37): 0, (1001, 5): 0, (259, 1100): 0, (3, 300, 43): 1, (20, 30, 9): (0, 1)}
"""Arrays of many rows, of few and of many columns, with the axes that are reduced."""

DTYPES = ("float32", "float16", "int8")


def numbers(shape: tuple[int, ...], dtype: str) -> Any:
    random = np.random.default_rng(5)
    if np.dtype(dtype).kind == "f":
        return random.standard_normal(shape).astype(dtype)
    return random.integers(0, 100, shape).astype(dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_extremes_of_columns(shape: tuple[int, ...], dtype: str) -> None:
    """A column has the maximum of another one, or of its first rows, or lacks its NaN."""
    x, axis = numbers(shape, dtype), SHAPES[shape]
    if x.dtype.kind == "f":
        x.reshape(-1)[::1013] = np.nan
        x.reshape(-1)[5::2017] = -np.inf
    with oakum.enable_x64(True):
        results = oakum.jit(lambda y: (y.max(axis), y.min(axis), jnp.any(y > 2, axis)))(x)
    expected = x.max(axis), x.min(axis), (x > 2).any(axis)
    for result, right in zip(results, expected, strict=True):
        np.testing.assert_array_equal(np.asarray(result), right)


def _standardised(np_: Any, x: Any, axis: Any) -> Any:
    return (x - x.mean(axis, keepdims=True)) / (x.std(axis, keepdims=True) + 1)


def _scaled(np_: Any, x: Any, axis: Any) -> Any:
    low = x.min(axis, keepdims=True)
    return (x - low) / (x.max(axis, keepdims=True) - low) + x.sum(axis, keepdims=True)


def _weights(np_: Any, x: Any, axis: Any) -> Any:
    powers = np_.exp(x - x.max(axis, keepdims=True))
    return powers / powers.sum(axis, keepdims=True)


@pytest.mark.parametrize("function", [_standardised, _scaled, _weights])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_sweeps_over_columns(function: Callable[..., Any], shape: tuple[int, ...]) -> None:
    """What one sweep reduces reaches the next one for another column."""
    x, axis = numbers(shape, "float64"), SHAPES[shape]
    with oakum.enable_x64(True):
        found = oakum.jit(lambda y: function(jnp, y, axis))(x)
    np.testing.assert_allclose(np.asarray(found), function(np, x, axis), rtol=1e-11, atol=1e-12)


def test_columns_of_threads() -> None:
    """Threads share the columns: some are left out, or done with those of another thread."""
    x = numbers((2000, 331), "float32")
    found = oakum.jit(lambda y: jnp.exp(y).sum(0))(x)
    np.testing.assert_allclose(np.asarray(found), np.exp(x.astype("float64")).sum(0), rtol=1e-5)
