# pyright: basic
# Functions of whichever module they are given have no types for the strict mode.
"""Elements by turns: repeated, stacked along the last axis, moved to it and away from it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import oakum
from oakum import numpy as jnp
from oakum.compile import backend
from oakum.compile.plan.planner import Planner, Shared

DTYPES = ("float32", "float64", "int8", "bool", "float16", "int64", "complex64")


def array(shape: tuple[int, ...], dtype: str) -> Any:
    """Numbers of all kinds, NaN and -0.0 among them."""
    random = np.random.default_rng(0)
    if dtype == "bool":
        return random.random(shape) > 0.5
    values = random.integers(-50, 50, shape).astype(dtype)
    if np.dtype(dtype).kind in "fc":
        values.reshape(-1)[::7] = np.nan
        values.reshape(-1)[3::7] = -0.0
    return values


def same_bits(found: Any, wanted: Any) -> None:
    """Fails where two arrays are not the same, bit for bit."""
    found = np.asarray(found)
    assert (found.shape, found.dtype) == (wanted.shape, wanted.dtype)
    assert found.tobytes() == np.ascontiguousarray(wanted).tobytes()


def check(function: Callable[..., Any], *arrays: Any) -> None:
    """Compares what is compiled with NumPy."""
    with oakum.enable_x64(True):
        given = [jnp.asarray(each) for each in arrays]
        found = oakum.jit(lambda *xs: function(jnp, *xs))(*given)
    for x, y in zip(found, function(np, *arrays), strict=True):
        same_bits(x, y)


@pytest.mark.parametrize("dtype", DTYPES)
def test_elements_repeated(dtype: str) -> None:
    """Repeated elements are those of their neighbours, or some are left out at the end."""

    def function(xp: Any, x: Any, y: Any) -> list[Any]:
        repeated = [xp.repeat(x, count, axis=1) for count in (2, 3, 5, 8)]
        return [*repeated, xp.repeat(y, 4), xp.tile(x[:, :3], (2, 50)), xp.repeat(x, 3, axis=0)]

    check(function, array((3, 37), dtype), array((1001,), dtype))


@pytest.mark.parametrize("dtype", DTYPES)
def test_arrays_stacked_along_the_last_axis(dtype: str) -> None:
    """Colours put together or taken apart are mixed up."""

    def function(xp: Any, x: Any, y: Any) -> list[Any]:
        stacked = [xp.stack([x, y, x[::-1], y, x[::-1]][:count], -1) for count in (2, 3, 5)]
        return [*stacked, xp.moveaxis(y[:3], 0, -1), xp.moveaxis(y.reshape(-1, 41, 4), -1, 0)]

    check(function, array((8, 41), dtype), array((8, 41), dtype)[::-1].copy())


def test_every_third_element_read_with_its_neighbours() -> None:
    """Sums of colours of a picture are those of other pixels at the end of a row."""

    def function(xp: Any, x: Any) -> list[Any]:
        return [x[:, 0::3] * 2 + x[:, 1::3] - x[:, 2::3], x[:, 1::4] + x[:, 2::4], x[:, 2::5]]

    check(function, array((5, 60), "int32"))
    check(function, array((7, 180), "float64"))


def test_a_row_for_each_colour() -> None:
    """What has another number for each colour takes that of the wrong one."""

    def function(xp: Any, x: Any, scale: Any) -> list[Any]:
        return [x * scale, xp.where(x > scale, x, scale), (x * scale).sum(0)]

    check(function, array((101, 3), "int32"), np.asarray([1, -2, 3], np.int32))
    check(function, array((35, 6), "int64"), np.asarray([1, -2, 3, 5, 0, 7]))


@pytest.mark.parametrize("axis", [0, 1])
def test_what_is_moved_only_is_written_once(axis: int) -> None:
    """Repeating elements needs memory for all of them twice."""
    traced = oakum.jit(lambda x: jnp.repeat(x, 3, axis=axis)).trace(jnp.ones((40, 50)))
    shared = Shared(backend.of("cpu").lowering())
    assert not Planner(traced.jaxpr, shared).plan().temporaries


@pytest.mark.parametrize("dtype", DTYPES)
def test_rows_and_columns_exchanged(dtype: str) -> None:
    """A transposed picture, mask or table of half-precision numbers has elements mixed up."""

    def function(xp: Any, x: Any, y: Any) -> list[Any]:
        return [x.T, xp.transpose(y, (2, 0, 1)), xp.transpose(y, (1, 2, 0)), x.T[::-1] == x.T]

    check(function, array((67, 150), dtype), array((33, 50, 18), dtype))
