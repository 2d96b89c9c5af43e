# pyright: basic
# JAX's functions and hypothesis' strategies are typed too loosely for the strict mode.
"""Selection, sorting and sampling give the shapes and dtypes that JAX gives."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rule_conformance import (
    FLOATS,
    SCALARS,
    arrays,
    broadcastable,
    check,
    seeds,
    shapes,
    sizes,
    typings,
)

from oakum import dtypes
from oakum.values.avals import ShapedArray, parse_aval

full = st.lists(sizes, max_size=3).map(tuple)
key = parse_aval("key<fry>[]")
raw_key = parse_aval("u32[2]")


@given(shape=broadcastable(3), data=st.data(), seed=seeds)
@settings(max_examples=35)
def test_where(shape: list[tuple[int, ...]], data: st.DataObject, seed: int) -> None:
    operands: list[Any] = [ShapedArray(each, *data.draw(typings())) for each in shape]
    if data.draw(st.integers(0, 3)) == 0:
        operands[data.draw(st.integers(1, 2))] = data.draw(SCALARS)
    check("numpy.where", *operands, seed=seed)


@given(shape=broadcastable(4), data=st.data(), seed=seeds)
@settings(max_examples=14)
def test_select(shape: list[tuple[int, ...]], data: st.DataObject, seed: int) -> None:
    conditions = [ShapedArray(each, dtypes.bool_) for each in shape[:2]]
    choices = [ShapedArray(each, *data.draw(typings())) for each in shape[2:]]
    check("numpy.select", conditions, choices, data.draw(SCALARS), seed=seed)


@given(shape=broadcastable(3), data=st.data(), seed=seeds)
@settings(max_examples=21)
def test_clip(shape: list[tuple[int, ...]], data: st.DataObject, seed: int) -> None:
    array = ShapedArray(shape[0], *data.draw(typings()))
    low, high = (
        data.draw(st.none() | SCALARS | st.just(ShapedArray(each, *data.draw(typings()))))
        for each in shape[1:]
    )
    check("numpy.clip", array, low, high, seed=seed)


@pytest.mark.parametrize("name", ["sort", "argsort", "partition", "argpartition"])
@given(array=arrays(full.filter(bool)), axis=st.none() | st.integers(-3, 2), seed=seeds)
@settings(max_examples=10)
def test_sorting(name: str, array: ShapedArray, axis: int | None, seed: int) -> None:
    options = {"kth": 0} if "partition" in name else {}
    if axis is None and options:
        return
    check(f"numpy.{name}", array, axis=axis, exact="partition" not in name, seed=seed, **options)


@given(array=arrays(shapes(1, 1)), values=arrays(), seed=seeds)
@settings(max_examples=10)
def test_searching(array: ShapedArray, values: ShapedArray, seed: int) -> None:
    check("numpy.searchsorted", array, values, seed=seed)
    check("numpy.digitize", values, array, seed=seed)


@given(array=arrays(full), count=st.integers(0, 3), axis=st.integers(-2, 1), seed=seeds)
@settings(max_examples=10)
def test_top_k(array: ShapedArray, count: int, axis: int, seed: int) -> None:
    check("lax.top_k", array, count, axis=axis, seed=seed)


@pytest.mark.parametrize("name", ["nonzero", "flatnonzero", "argwhere"])
@given(array=arrays(), size=st.integers(0, 5), seed=seeds)
@settings(max_examples=10)
def test_functions_with_a_size(name: str, array: ShapedArray, size: int, seed: int) -> None:
    check(f"numpy.{name}", array, size=size, seed=seed)


@given(condition=arrays(), size=st.integers(0, 5), seed=seeds)
@settings(max_examples=7)
def test_where_of_a_condition_alone(condition: ShapedArray, size: int, seed: int) -> None:
    check("numpy.where", condition, size=size, seed=seed)


@given(
    array=arrays(full),
    size=st.integers(1, 5),
    axis=st.none() | st.integers(-2, 1),
    extra=st.tuples(st.booleans(), st.booleans(), st.booleans()),
    seed=seeds,
)
@settings(max_examples=21)
def test_unique(array: ShapedArray, size: int, axis: int | None, extra: Any, seed: int) -> None:
    check("numpy.unique", array, *extra, axis=axis, size=size, exact=axis is None, seed=seed)


@pytest.mark.parametrize("name", ["union1d", "setdiff1d", "intersect1d"])
@given(left=arrays(full), right=arrays(full), size=st.integers(1, 5), seed=seeds)
@settings(max_examples=10)
def test_set_operations(name: str, left: Any, right: Any, size: int, seed: int) -> None:
    check(f"numpy.{name}", left, right, size=size, exact=False, seed=seed)


@given(
    array=arrays(shapes(1, 1), (dtypes.int32, dtypes.uint8)),
    length=st.integers(1, 5),
    seed=seeds,
)
@settings(max_examples=7)
def test_bincount(array: ShapedArray, length: int, seed: int) -> None:
    check("numpy.bincount", array, length=length, seed=seed)


PLAIN = [
    "normal",
    "uniform",
    "cauchy",
    "exponential",
    "gumbel",
    "laplace",
    "logistic",
    "rademacher",
    "maxwell",
    "bits",
]


@pytest.mark.parametrize("name", PLAIN)
@given(shape=shapes() | st.just(()), raw=st.booleans(), seed=seeds)
@settings(max_examples=6)
def test_draws_of_a_shape(name: str, shape: Any, raw: bool, seed: int) -> None:
    check(f"random.{name}", raw_key if raw else key, shape, exact=False, seed=seed)


@given(shape=shapes(), dtype=st.sampled_from(["float32", "bfloat16", float]), seed=seeds)
@settings(max_examples=7)
def test_normal_draws_of_a_dtype(shape: Any, dtype: Any, seed: int) -> None:
    check("random.normal", key, shape, dtype, seed=seed)


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("bernoulli", 1),
        ("beta", 2),
        ("gamma", 1),
        ("poisson", 1),
        ("chisquare", 1),
        ("t", 1),
        ("pareto", 1),
        ("rayleigh", 1),
        ("truncated_normal", 2),
        ("lognormal", 1),
        ("binomial", 2),
        ("geometric", 1),
        ("wald", 1),
    ],
)
@given(pair=broadcastable(2, 2), shape=st.none(), seed=seeds)
@settings(max_examples=7)
def test_draws_of_parameters(name: str, count: int, pair: Any, shape: Any, seed: int) -> None:
    parameters = [ShapedArray(each, dtypes.float32) for each in pair[:count]]
    check(f"random.{name}", key, *parameters, shape=shape, exact=False, seed=seed)


@given(shape=shapes(), dtype=st.sampled_from([None, "int32", "uint8"]), seed=seeds)
@settings(max_examples=7)
def test_randint(shape: Any, dtype: Any, seed: int) -> None:
    options = {} if dtype is None else {"dtype": dtype}
    check("random.randint", key, shape, 0, 5, seed=seed, **options)


@given(count=st.integers(0, 4) | shapes(0, 2), raw=st.booleans(), seed=seeds)
@settings(max_examples=7)
def test_splitting_keys(count: Any, raw: bool, seed: int) -> None:
    check("random.split", raw_key if raw else key, count, seed=seed)
    check("random.fold_in", raw_key if raw else key, 3, seed=seed)


@given(logits=arrays(full.filter(bool), FLOATS, weak=False), axis=st.integers(-2, 1), seed=seeds)
@settings(max_examples=7)
def test_categorical(logits: ShapedArray, axis: int, seed: int) -> None:
    check("random.categorical", key, logits, axis, seed=seed)


@given(
    population=st.integers(4, 6) | arrays(st.tuples(st.integers(4, 6), sizes), FLOATS, weak=False),
    shape=st.lists(sizes, max_size=1).map(tuple),
    seed=seeds,
)
@settings(max_examples=10)
def test_choice_and_permutation(population: Any, shape: Any, seed: int) -> None:
    check("random.choice", key, population, shape, exact=False, seed=seed)
    check("random.permutation", key, population, exact=False, seed=seed)


@pytest.mark.parametrize("name", ["dirichlet", "multivariate_normal"])
@given(size=sizes, batch=shapes(0, 1), asked=st.none(), seed=seeds)
@settings(max_examples=7)
def test_vector_draws(name: str, size: int, batch: Any, asked: Any, seed: int) -> None:
    mean = ShapedArray((*batch, size), dtypes.float32)
    covariance = ShapedArray((*batch, size, size), dtypes.float32)
    parameters = [mean] if name == "dirichlet" else [mean, covariance]
    check(f"random.{name}", key, *parameters, shape=asked, seed=seed)
