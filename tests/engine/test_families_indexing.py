# pyright: basic
# JAX's functions and hypothesis' strategies are typed too loosely for the strict mode.
"""Indexing gives the shapes that JAX gives, for every form of index."""

import operator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rule_conformance import arrays, call_jax, check, compare, known_shape, seeds, shapes, sizes

from oakum import dtypes
from oakum.abstract import indexing
from oakum.errors import ShapeError
from oakum.values.avals import UNKNOWN, PythonScalar, ShapedArray, parse_aval

full = st.lists(sizes, max_size=3).map(tuple)
"""Shapes without a dimension of size 0."""

integer_arrays = arrays(shapes(0, 2), (dtypes.int32, dtypes.uint8), weak=False)
bounds = st.none() | st.integers(-5, 5)
steps = st.none() | st.sampled_from([1, 2, -1, -2])
elements = (
    st.integers(-4, 4)
    | st.builds(slice, bounds, bounds, steps)
    | st.none()
    | st.just(Ellipsis)
    | integer_arrays
    | st.lists(st.integers(0, 3), min_size=1, max_size=2)
)
indices = elements | st.lists(elements, max_size=4).map(tuple)


@given(array=arrays(shapes(0, 4)), index=indices, seed=seeds)
@settings(max_examples=140)
def test_indexing_gives_the_shape_that_jax_gives(array: ShapedArray, index: Any, seed: int) -> None:
    expected = call_jax(operator.getitem, (array, index), {})
    compare(indexing.getitem, {"self": array, "key": index}, expected, exact=True, seed=seed)


@given(array=arrays(shapes(1, 3)), index=indices, data=st.data(), seed=seeds)
@settings(max_examples=52)
def test_updates_keep_the_type_of_the_array(
    array: ShapedArray, index: Any, data: st.DataObject, seed: int
) -> None:
    values = data.draw(arrays(shapes(0, 2)) | st.just(array))

    def update(array: Any, index: Any, values: Any) -> Any:
        return array.at[index].set(values)

    expected = call_jax(update, (array, index, values), {})
    bound = {"self": array, "index": index, "values": values}
    compare(indexing.update, bound, expected, exact=True, seed=seed)


@pytest.mark.parametrize(
    ("array", "index", "shape"),
    [
        ("f32[8,3]", parse_aval("bool[8]"), "f32[?,3]"),
        ("f32[8,3]", parse_aval("bool[8,3]"), "f32[?]"),
        ("f32[n,3]", 0, "f32[3]"),
        ("f32[n,3]", slice(None, None, -1), "f32[n,3]"),
        ("f32[n,3]", slice(1, None), "f32[?,3]"),
        ("f32[8,3]", (PythonScalar("int"), Ellipsis), "f32[3]"),
        ("f32[8,3]", slice(PythonScalar("int")), "f32[?,3]"),
        ("f32[8,3]", UNKNOWN, "f32[...]"),
        ("f32[...]", 0, "f32[...]"),
        ("f32[8,3]", parse_aval("?[4]"), "f32[?,3]"),
    ],
)
def test_an_index_that_is_partly_known(array: str, index: Any, shape: str) -> None:
    assert str(indexing.getitem({"self": parse_aval(array), "key": index})) == shape


def test_too_many_indices_are_an_index_error() -> None:
    with pytest.raises(IndexError, match="array is 2-dimensional, but 3 were indexed"):
        indexing.index_shape(parse_aval("f32[8,3]"), (0, 0, 0))
    with pytest.raises(ShapeError, match="OAK501"):
        indexing.index_shape(parse_aval("f32[8,3]"), (0, 0, 0))


@given(
    array=arrays(full), positions=integer_arrays, axis=st.none() | st.integers(-3, 2), seed=seeds
)
@settings(max_examples=21)
def test_take(array: ShapedArray, positions: Any, axis: int | None, seed: int) -> None:
    check("numpy.take", array, positions, axis, seed=seed)


@given(array=arrays(full.filter(bool)), data=st.data(), seed=seeds)
@settings(max_examples=21)
def test_take_along_axis(array: ShapedArray, data: st.DataObject, seed: int) -> None:
    shape = list(known_shape(array))
    axis = data.draw(st.integers(-len(shape), len(shape) - 1))
    shape[axis] = data.draw(st.integers(0, 3))
    positions = data.draw(arrays(tuple(shape), (dtypes.int32,), weak=False))
    check("numpy.take_along_axis", array, positions, axis, seed=seed)


@given(array=arrays(shapes(1, 3)), data=st.data(), seed=seeds)
@settings(max_examples=21)
def test_dynamic_slices(array: ShapedArray, data: st.DataObject, seed: int) -> None:
    shape = known_shape(array)
    starts = [0] * len(shape)
    wanted = tuple(data.draw(st.integers(0, size + (size % 3 == 2))) for size in shape)
    check("lax.dynamic_slice", array, starts, wanted, seed=seed)
    axis = data.draw(st.integers(-len(shape), len(shape) - 1))
    size = data.draw(st.integers(0, shape[axis]))
    check("lax.dynamic_slice_in_dim", array, 0, size, axis, seed=seed)
    keepdims = data.draw(st.booleans())
    if shape[axis]:
        check("lax.dynamic_index_in_dim", array, 0, axis, keepdims, seed=seed)
        check("lax.index_in_dim", array, 0, axis, keepdims, seed=seed)


@given(array=arrays(shapes(1, 3)), data=st.data(), seed=seeds)
@settings(max_examples=21)
def test_static_slices(array: ShapedArray, data: st.DataObject, seed: int) -> None:
    shape = known_shape(array)
    limits = [data.draw(st.integers(0, size)) for size in shape]
    starts = [data.draw(st.integers(0, limit)) for limit in limits]
    steps = data.draw(st.none() | st.tuples(*(st.integers(1, 3) for _ in shape)))
    check("lax.slice", array, tuple(starts), tuple(limits), steps, seed=seed)
    axis = data.draw(st.integers(-len(shape), len(shape) - 1))
    bounds = data.draw(st.integers(-2, 3)), data.draw(st.none() | st.integers(-2, 3))
    check("lax.slice_in_dim", array, *bounds, data.draw(st.integers(1, 2)), axis, seed=seed)
