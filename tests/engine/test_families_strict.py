# pyright: basic
# JAX's functions and hypothesis' strategies are typed too loosely for the strict mode.
"""The functions of jax.lax neither promote nor broadcast, and their rules say so as JAX does."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rule_conformance import (
    arrays,
    broadcastable,
    check,
    known_shape,
    seeds,
    shapes,
    sizes,
    typings,
)

from oakum import dtypes
from oakum.values.avals import ShapedArray

UNARY = [
    "abs",
    "neg",
    "sign",
    "floor",
    "ceil",
    "round",
    "exp",
    "log",
    "sin",
    "cos",
    "tanh",
    "sqrt",
    "rsqrt",
    "logistic",
    "is_finite",
    "bitwise_not",
    "population_count",
    "real",
    "imag",
    "conj",
    "square",
    "reciprocal",
    "erf",
    "stop_gradient",
    "cbrt",
    "lgamma",
    "digamma",
]
BINARY = [
    "add",
    "sub",
    "mul",
    "div",
    "rem",
    "max",
    "min",
    "pow",
    "atan2",
    "bitwise_and",
    "bitwise_or",
    "bitwise_xor",
    "shift_left",
    "eq",
    "ne",
    "lt",
    "le",
    "gt",
    "ge",
    "complex",
    "nextafter",
]


@pytest.mark.parametrize("name", UNARY)
@given(array=arrays(), seed=seeds)
@settings(max_examples=7)
def test_unary(name: str, array: ShapedArray, seed: int) -> None:
    check(f"lax.{name}", array, exact=name != "conj", seed=seed)


@st.composite
def strict_pairs(draw: st.DrawFn) -> tuple[Any, Any]:
    left = draw(arrays())
    shape = draw(st.sampled_from([known_shape(left), known_shape(left), ()]) | shapes())
    typing = draw(st.sampled_from([left.typing, left.typing]) | typings())
    right: Any = left.update(shape=shape, dtype=typing[0], weak_type=typing[1])
    if draw(st.integers(0, 5)) == 0:
        right = draw(st.sampled_from([2, 2.0, True]))
    return (left, right) if draw(st.booleans()) else (right, left)


@pytest.mark.sweep(3)
@pytest.mark.parametrize("name", BINARY)
@given(pair=strict_pairs(), seed=seeds)
@settings(max_examples=14)
def test_binary(name: str, pair: Any, seed: int) -> None:
    check(f"lax.{name}", *pair, exact=name != "complex", seed=seed)


@pytest.mark.parametrize("name", ["select", "select_n"])
@given(pair=strict_pairs(), data=st.data(), seed=seeds)
@settings(max_examples=14)
def test_select(name: str, pair: Any, data: st.DataObject, seed: int) -> None:
    shape = next(each.shape for each in pair if isinstance(each, ShapedArray))
    condition = ShapedArray(data.draw(st.sampled_from([(), shape])), dtypes.bool_)
    check(f"lax.{name}", condition, *pair, seed=seed)


@given(pair=strict_pairs(), seed=seeds)
@settings(max_examples=10)
def test_clamp(pair: Any, seed: int) -> None:
    check("lax.clamp", 0, pair[0], pair[1], exact=False, seed=seed)


REDUCTIONS = ["reduce_sum", "reduce_max", "reduce_min", "reduce_prod", "reduce_and", "reduce_or"]


@pytest.mark.parametrize("name", REDUCTIONS)
@given(array=arrays(st.lists(sizes, max_size=3).map(tuple)), data=st.data(), seed=seeds)
@settings(max_examples=7)
def test_reductions(name: str, array: ShapedArray, data: st.DataObject, seed: int) -> None:
    ndim = len(known_shape(array))
    axes = data.draw(st.lists(st.integers(0, max(ndim - 1, 0)), unique=True, max_size=ndim))
    check(f"lax.{name}", array, tuple(axes), seed=seed)


@pytest.mark.parametrize("name", ["cumsum", "cumprod", "cummax", "cummin", "cumlogsumexp"])
@given(array=arrays(shapes(1, 3)), seed=seeds)
@settings(max_examples=7)
def test_cumulative(name: str, array: ShapedArray, seed: int) -> None:
    check(f"lax.{name}", array, seed=seed)


@given(array=arrays(), sizes=shapes(), seed=seeds)
@settings(max_examples=7)
def test_broadcast(array: ShapedArray, sizes: Any, seed: int) -> None:
    check("lax.broadcast", array, sizes, seed=seed)


@given(size=st.integers(0, 4), shape=shapes(1, 3), seed=seeds)
@settings(max_examples=7)
def test_iota(size: int, shape: Any, seed: int) -> None:
    check("lax.iota", "int32", size, seed=seed)
    check("lax.broadcasted_iota", "float32", shape, 0, seed=seed)


@given(array=arrays(weak=False), dtype=st.sampled_from(["int32", "uint8", "bfloat16"]), seed=seeds)
@settings(max_examples=14)
def test_conversions(array: ShapedArray, dtype: str, seed: int) -> None:
    check("lax.convert_element_type", array, dtype, seed=seed)
    check("lax.bitcast_convert_type", array, dtype, exact=False, seed=seed)


@given(array=arrays(shapes(1, 3)), data=st.data(), seed=seeds)
@settings(max_examples=14)
def test_pad(array: ShapedArray, data: st.DataObject, seed: int) -> None:
    width = st.integers(-1, 3)
    triple = st.tuples(width, width, st.integers(0, 2))
    config = [data.draw(triple) for _ in known_shape(array)]
    fill = ShapedArray((), array.dtype)
    check("lax.pad", array, fill, config, exact=False, seed=seed)


@given(array=arrays(shapes(1, 3)), data=st.data(), seed=seeds)
@settings(max_examples=14)
def test_rearrangements(array: ShapedArray, data: st.DataObject, seed: int) -> None:
    ndim = len(known_shape(array))
    order = tuple(data.draw(st.permutations(range(ndim))))
    check("lax.transpose", array, order, seed=seed)
    check("lax.rev", array, order[:1], seed=seed)
    check("lax.expand_dims", array, order[:1], seed=seed)
    total = 1
    for size in known_shape(array):
        total *= size
    check("lax.reshape", array, (total,), seed=seed)
    start = data.draw(st.integers(0, ndim - 1))
    check("lax.collapse", array, start, data.draw(st.integers(start + 1, ndim)), seed=seed)


@given(shape=broadcastable(2), typing=typings(), axis=st.integers(0, 2), seed=seeds)
@settings(max_examples=14)
def test_concatenate(shape: Any, typing: Any, axis: int, seed: int) -> None:
    several = [ShapedArray(each, *typing) for each in shape]
    check("lax.concatenate", several, axis, exact=False, seed=seed)
