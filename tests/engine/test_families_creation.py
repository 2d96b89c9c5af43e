# pyright: basic
# JAX's functions and hypothesis' strategies are typed too loosely for the strict mode.
"""Functions that make arrays give the shapes and dtypes that JAX gives."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rule_conformance import SCALARS, arrays, check, seeds, shapes

from oakum.values.avals import ShapedArray

names = st.sampled_from(
    [None, "float32", "int32", "bool", "bfloat16", "complex64", float, int, bool, complex, "f4"]
)


@pytest.mark.parametrize("name", ["zeros", "ones", "empty"])
@given(shape=shapes() | st.integers(-1, 4), dtype=names, seed=seeds)
@settings(max_examples=10)
def test_filled_arrays(name: str, shape: Any, dtype: Any, seed: int) -> None:
    check(f"numpy.{name}", shape, dtype, seed=seed)


@given(shape=shapes() | st.integers(0, 4), value=arrays(()) | SCALARS, dtype=names, seed=seeds)
@settings(max_examples=21)
def test_full(shape: Any, value: Any, dtype: Any, seed: int) -> None:
    check("numpy.full", shape, value, dtype, seed=seed)


@pytest.mark.parametrize("name", ["zeros_like", "ones_like", "empty_like"])
@given(array=arrays() | SCALARS, dtype=names, shape=st.none() | shapes(), seed=seeds)
@settings(max_examples=10)
def test_arrays_like_others(name: str, array: Any, dtype: Any, shape: Any, seed: int) -> None:
    check(f"numpy.{name}", array, dtype, shape, seed=seed)


@given(array=arrays() | SCALARS, dtype=names, shape=st.none() | shapes(), seed=seeds)
@settings(max_examples=10)
def test_full_like(array: Any, dtype: Any, shape: Any, seed: int) -> None:
    check("numpy.full_like", array, 1, dtype, shape, seed=seed)


@given(
    rows=st.integers(0, 4),
    columns=st.none() | st.integers(0, 4),
    offset=st.integers(-2, 2),
    dtype=names,
    seed=seeds,
)
@settings(max_examples=10)
def test_eye(rows: int, columns: int | None, offset: int, dtype: Any, seed: int) -> None:
    check("numpy.eye", rows, columns, offset, dtype, seed=seed)
    check("numpy.tri", rows, columns, offset, dtype, seed=seed)


@given(size=st.integers(0, 4), dtype=names, seed=seeds)
@settings(max_examples=6)
def test_identity(size: int, dtype: Any, seed: int) -> None:
    check("numpy.identity", size, dtype, seed=seed)


numbers = st.integers(-5, 9) | st.sampled_from([0.0, 1.5, -2.5])


@given(
    start=numbers,
    stop=st.none() | numbers,
    step=st.none() | st.sampled_from([1, 2, -1, 0.5, 3]),
    dtype=st.sampled_from([None, "float32", "int32", "uint8"]),
    seed=seeds,
)
@settings(max_examples=35)
def test_arange(start: Any, stop: Any, step: Any, dtype: Any, seed: int) -> None:
    check("numpy.arange", start, stop, step, dtype, seed=seed)


@given(
    start=arrays(shapes(0, 2)) | SCALARS,
    stop=arrays(shapes(0, 1)) | SCALARS,
    number=st.integers(1, 5),
    retstep=st.booleans(),
    axis=st.integers(-1, 0),
    seed=seeds,
)
@settings(max_examples=21)
def test_linspace(start: Any, stop: Any, number: int, retstep: bool, axis: int, seed: int) -> None:
    check(
        "numpy.linspace",
        start,
        stop,
        number,
        retstep=retstep,
        axis=axis,
        exact=number > 1,
        seed=seed,
    )


@pytest.mark.parametrize("name", ["logspace", "geomspace"])
@given(start=arrays(()) | SCALARS, stop=SCALARS, number=st.integers(0, 5), seed=seeds)
@settings(max_examples=10)
def test_other_spaces(name: str, start: Any, stop: Any, number: int, seed: int) -> None:
    check(f"numpy.{name}", start, stop, number, seed=seed)


scalars = SCALARS | arrays(())
rows = st.lists(scalars, max_size=3) | st.lists(arrays((2,)), min_size=1, max_size=2)
python_data = scalars | rows | st.lists(rows, max_size=2) | st.tuples(scalars, scalars) | arrays()


@pytest.mark.parametrize("name", ["array", "asarray"])
@given(value=python_data, dtype=names, seed=seeds)
@settings(max_examples=35)
def test_arrays_of_python_data(name: str, value: Any, dtype: Any, seed: int) -> None:
    check(f"numpy.{name}", value, dtype, seed=seed)


@given(value=python_data, ndmin=st.integers(0, 3), seed=seeds)
@settings(max_examples=14)
def test_arrays_of_a_least_number_of_dimensions(value: Any, ndmin: int, seed: int) -> None:
    check("numpy.array", value, ndmin=ndmin, seed=seed)


@given(array=arrays(), dtype=names, seed=seeds)
@settings(max_examples=10)
def test_astype(array: ShapedArray, dtype: Any, seed: int) -> None:
    check("numpy.astype", array, dtype, seed=seed)


@given(array=arrays(), classes=st.integers(1, 4), axis=st.integers(-2, 1), seed=seeds)
@settings(max_examples=14)
def test_one_hot(array: ShapedArray, classes: int, axis: int, seed: int) -> None:
    check("nn.one_hot", array, classes, axis=axis, seed=seed)
