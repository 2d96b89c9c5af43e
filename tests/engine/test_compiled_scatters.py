# pyright: basic
# Lambdas that are given to transformations have no types of their own for the strict mode.
"""Compiled scatters give what their evaluation gives: the same windows, in the same order.

A scatter that fails here writes to other elements than the user asked for, or to other memory.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engine.compiled_programs import compare_compiled
from tests.engine.lowering_interpreter import interpreted

import oakum
import oakum.numpy as jnp
from oakum import dtypes, lax
from oakum.api import primitive_registry
from oakum.lax.options import GatherScatterMode, ScatterDimensionNumbers
from oakum.runtime.arrays import wrap
from oakum.values import host
from oakum.values.avals import ShapedArray

KINDS = ("scatter", "scatter-add", "scatter-sub", "scatter-mul", "scatter-min", "scatter-max")
MODES = list(GatherScatterMode)[:3]


@pytest.fixture(autouse=True)
def _wide() -> Iterator[None]:
    with oakum.enable_x64(True), np.errstate(all="ignore"):
        yield


Shape = tuple[int, ...]
Form = tuple[Shape, Shape, Shape, dict[str, Any]]


def scatter(chance: random.Random, most: int = 4) -> Form:
    """The shapes of an operand, indices and updates, and the parameters of a scatter of them."""
    shape = tuple(chance.randint(1, most) for _ in range(chance.randint(1, 4)))
    axes = list(range(len(shape)))
    batching = sorted(chance.sample(axes, chance.randint(0, min(2, len(axes) - 1))))
    rest = [axis for axis in axes if axis not in batching]
    mapped = tuple(chance.sample(rest, chance.randint(0, len(rest))))
    inserted = tuple(sorted(chance.sample(rest, chance.randint(0, len(rest)))))
    window = [axis for axis in rest if axis not in inserted]
    batch = [chance.randint(1, most) for _ in range(len(batching) + chance.randint(0, 2))]
    places = chance.sample(range(len(batch)), len(batching))
    for axis, place in zip(batching, places, strict=True):
        batch[place] = shape[axis]
    rank = len(window) + len(batch)
    dims = tuple(sorted(chance.sample(range(rank), len(window))))
    sizes, counts = iter([chance.randint(1, shape[axis]) for axis in window]), iter(batch)
    updates = tuple(next(sizes) if d in dims else next(counts) for d in range(rank))
    numbers = ScatterDimensionNumbers(dims, inserted, mapped, tuple(batching), tuple(places))
    params = {
        "dimension_numbers": numbers,
        "mode": chance.choice(MODES),
        "unique_indices": False,
        "indices_are_sorted": False,
        "update_jaxpr": None,
        "update_consts": (),
    }
    return shape, (*batch, len(mapped)), updates, params


def indices(chance: random.Random, shape: Shape, kind: str, most: int) -> Any:
    """Positions, of which some are out of bounds, and some as far as can be."""
    info = np.iinfo(kind)
    spread = [info.min, info.max, *range(max(int(info.min), -2), most + 2)]
    return np.array([chance.choice(spread) for _ in range(int(np.prod(shape)))], kind).reshape(
        shape
    )


def values(chance: random.Random, shape: Shape, dtype: str) -> Any:
    """Numbers whose sums depend on their order, with zeros of both signs and NaN among floats."""
    source = np.random.default_rng(chance.randint(0, 2**32))
    raw = source.integers(0, 2, shape) if dtype == "bool" else source.normal(0, 50, shape)
    if "float" in dtype:
        special = source.choice([-0.0, 0.0, np.nan, np.inf, 1e-3], shape)
        raw = np.where(source.random(shape) < 0.3, special, raw)
    elif dtype.startswith("u"):
        raw = np.abs(raw)
    return raw.astype(host.dtype(dtypes.DTYPES[dtype]))


DTYPES = "bool int8 uint8 int16 int32 uint64 bfloat16 float16 float32 float64".split()
PLACES = "int8 int32 int64 uint8 uint32 uint64".split()


def draw(seed: int, most: int) -> tuple[str, list[Any], dict[str, Any]]:
    """A scatter: its name, operands and parameters."""
    chance = random.Random(seed)
    name, dtype = chance.choice(KINDS), chance.choice(DTYPES)
    if dtype == "bool":
        name = chance.choice(["scatter", "scatter-min", "scatter-max"])
    shape, places, updates, params = scatter(chance, most)
    operands = [
        values(chance, shape, dtype),
        indices(chance, places, chance.choice(PLACES), most),
        values(chance, updates, dtype),
    ]
    return name, operands, params


@given(st.integers(0, 2**32))
def test_rules_of_every_form(seed: int) -> None:
    with oakum.enable_x64(True), np.errstate(all="ignore"):
        name, operands, params = draw(seed, 3)
        wrapped = [
            wrap(raw, ShapedArray(raw.shape, dtypes.DTYPES[str(raw.dtype)])) for raw in operands
        ]
        ((actual, expected),) = interpreted(primitive_registry.by_name()[name], wrapped, params)
        equal = np.array_equal(actual.astype(float), expected.astype(float), equal_nan=True)
        assert equal, f"{actual} for {expected}"


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 2**32))
def test_scatters_of_every_form(seed: int) -> None:
    with oakum.enable_x64(True), np.errstate(all="ignore"):
        name, operands, params = draw(seed, 9)
        primitive = primitive_registry.by_name()[name]
        compare_compiled(
            lambda x, i, u: primitive.bind(x, i, u, **params),
            *operands,
            nan_bits=name == "scatter",
            # Which of two equal zeros is the greater one depends on the dtype in NumPy.
            signed_zeros=name not in ("scatter-min", "scatter-max"),
        )


@pytest.mark.parametrize("method", ["add", "subtract", "multiply", "max", "set"])
@pytest.mark.parametrize("rows", [1, 15, 16, 17, 33])
def test_updates_of_one_column_see_those_before(rows: int, method: str) -> None:
    """Of several updates of an element only the last is seen, where an axis has one element."""
    x = np.arange(1.0, rows + 1, dtype=np.float32).reshape(rows, 1)
    for places in ([0, 0], [0, 3], [3, 0], [0, -1, 0]):
        at = np.array(places, np.int8)
        compare_compiled(lambda x, at: getattr(x.at[..., at], method)(x[..., at] + 1), x, at)


def test_the_last_of_equal_positions_wins() -> None:
    at, new = np.array([2, 5, 2, 2, 40]), np.arange(5.0)
    compare_compiled(lambda x, i, u: x.at[i].set(u), np.zeros(7), at, new)
    compare_compiled(lambda x, u: x.at[jnp.full(5, 3)].set(u), np.zeros(7), new)
    compare_compiled(lambda x, i: x.at[i].set(jnp.arange(5) * 2.0), np.zeros(7), at)


@pytest.mark.parametrize("count", [1, 3, 70])
def test_windows_that_overlap_come_in_order(count: int) -> None:
    """Windows lie across each other, and the axis that counts them is the last in memory."""
    numbers = ScatterDimensionNumbers((0, 1), (), (0, 1))
    at = np.random.default_rng(3).integers(-2, 20, (count, 2))
    operand, updates = (
        np.ones((40, 30), "float32"),
        np.random.default_rng(4).normal(size=(17, 9, count)).astype("float32"),
    )
    for function in (lax.scatter, lax.scatter_add, lax.scatter_mul):
        for mode in ("clip", "drop"):
            compare_compiled(
                lambda x, i, u, function=function, mode=mode: function(x, i, u, numbers, mode=mode),
                operand,
                at,
                updates,
            )


@pytest.mark.parametrize("axis", [0, 1])
def test_updates_that_are_computed_and_summed(axis: int) -> None:
    """The updates have other readers, which sum them along an axis that counts windows."""

    def function(x: Any, i: Any, u: Any) -> Any:
        u = u * 2 + 1
        y = x.at[i].add(u)
        return y, u.sum(axis), jnp.exp(y).sum(axis)

    source = np.random.default_rng(5)
    x, u = (source.integers(-3, 4, shape).astype("float32") for shape in ((50, 33), (80, 33)))
    compare_compiled(function, x, source.integers(-60, 60, 80), u, near=1e-5)


@pytest.mark.parametrize("width", [1, 20])
def test_one_place_takes_all(width: int) -> None:
    """No position depends on the axis that counts windows: each still has its turn."""
    u = np.random.default_rng(6).normal(size=(300, width)).astype("float32")
    x = np.ones((3, width), "float32")
    compare_compiled(lambda x, u: x.at[jnp.full(300, 1)].add(u), x, u)
    compare_compiled(lambda x, i, u: x.at[jnp.broadcast_to(i, 300)].mul(u), x, 2, u)
    numbers = ScatterDimensionNumbers((1,), (), ())
    nowhere = np.zeros((300, 0), int)
    for function in (lax.scatter, lax.scatter_add, lax.scatter_max):
        compare_compiled(
            lambda x, i, u, function=function: function(x, i, u, numbers), x[0], nowhere, u
        )


def test_scatters_of_nothing_and_into_nothing() -> None:
    for shape, count in (((0, 3), 4), ((5, 0), 4), ((5, 3), 0)):
        x, u = np.ones(shape), np.ones((count, shape[1]))
        compare_compiled(lambda x, i, u: x.at[i].add(u), x, np.arange(count), u)
    compare_compiled(lambda x, u: x.at[...].set(u), np.ones(()), np.zeros(()))


def test_large_scatters() -> None:
    source = np.random.default_rng(7)
    x, u = source.normal(size=(1000, 257)), source.normal(size=(3000, 257))
    compare_compiled(lambda x, i, u: x.at[i].add(u), x, source.integers(-1100, 1100, 3000), u)
    compare_compiled(
        lambda x, i, u: x.at[:, i].max(u.T), x, source.integers(0, 257, 3000), u[:, :1]
    )
    compare_compiled(lambda x: x.at[:, 3].set(0.0), x)
    compare_compiled(lambda x: x.at[::2, 1:-1].mul(2.0), x)
    flat = source.normal(size=100_000)
    counts = source.integers(0, 50, 100_000)
    compare_compiled(lambda i, v: jnp.zeros(50).at[i].add(v), counts, flat)


def test_mapped_scatters_and_those_in_loops() -> None:
    source = np.random.default_rng(8)
    x, i, u = (
        source.normal(size=(6, 40)),
        source.integers(-50, 50, (6, 9)),
        source.normal(size=(6, 9)),
    )
    compare_compiled(oakum.vmap(lambda x, i, u: x.at[i].add(u)), x, i, u)
    compare_compiled(oakum.vmap(lambda x, i, u: x.at[i].set(u), (None, 0, 0)), x[0], i, u)
    compare_compiled(
        lambda x, i: oakum.grad(lambda x: (x[i] ** 2).sum())(x), x[0], i[0], near=1e-12
    )

    def step(x: Any, each: Any) -> Any:
        place, value = each
        return x.at[place].add(value), x[place]

    compare_compiled(lambda x, i, u: lax.scan(step, x, (i, u)), x[0], i[0], u[0])


def test_functions_of_what_is_there_stay_on_the_host() -> None:
    at = np.array([1, 1, 3])
    compare_compiled(lambda x, i: x.at[i].apply(jnp.sin), np.ones(5), at, host="scatter")


def test_extremes_of_complex_numbers_are_those_of_jax() -> None:
    """A NaN in a part stays, where JAX goes on with the number that is compared with it."""
    nan = float("nan")
    x = np.array([1 + 2j, complex(nan, 1), 3, complex(2, nan), -1j, 5], "c8")
    places = np.array([0, 1, 2, 3, 4, 5, 0, 4, 9, 0])
    updates = [1 + 3j, 2 + 2j, complex(3, nan), 2 + 5j, complex(nan, nan), 4]
    updates = np.array([*updates, complex(1, -nan), 7, 8, 2 - 3j], "c8")
    greatest = [2 - 3j, 2 + 2j, complex(3, nan), 2 + 5j, 7, 5]
    least = [complex(1, nan), 2 + 2j, complex(3, nan), 2 + 5j, 7, 4]
    for name, wanted in (("max", greatest), ("min", least)):

        def scatter(x: Any, name: str = name) -> Any:
            return getattr(jnp.asarray(x).at[places], name)(updates)

        for run in (scatter, oakum.jit(scatter)):
            np.testing.assert_array_equal(run(x), np.array(wanted, "c8"))
