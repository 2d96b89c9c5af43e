# pyright: basic
# JAX's functions and hypothesis' strategies are typed too loosely for the strict mode.
"""Functions that rearrange, lengthen, join or split dimensions give the shapes that JAX gives."""

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

from oakum.values.avals import ShapedArray


def rank(array: ShapedArray) -> int:
    return len(known_shape(array))


def an_axis(ndim: int) -> st.SearchStrategy[int]:
    """An axis, now and then one that does not exist."""
    return st.integers(-max(ndim, 1), max(ndim - 1, 0)) | st.integers(-4, 3)


@st.composite
def factors(draw: st.DrawFn, array: ShapedArray) -> tuple[int, ...]:
    """A shape of as many elements, mostly."""
    size = 1
    for each in known_shape(array):
        size *= each
    if draw(st.integers(0, 5)) == 0:
        return draw(shapes())
    result: list[int] = []
    rest = size
    for _ in range(draw(st.integers(0, 2))):
        divisors = [n for n in range(1, rest + 1) if rest % n == 0] or [1]
        each = draw(st.sampled_from(divisors))
        result.append(each)
        rest //= each
    result.append(rest)
    result = draw(st.permutations(result))
    if draw(st.booleans()):
        result[draw(st.integers(0, len(result) - 1))] = -1
    return tuple(result)


@given(array=arrays(), data=st.data(), seed=seeds)
@settings(max_examples=42)
def test_reshape(array: ShapedArray, data: st.DataObject, seed: int) -> None:
    check("numpy.reshape", array, data.draw(factors(array)), seed=seed)


@given(array=arrays(), size=st.integers(-1, 5), seed=seeds)
@settings(max_examples=10)
def test_reshape_to_one_dimension(array: ShapedArray, size: int, seed: int) -> None:
    check("numpy.reshape", array, size, seed=seed)


@pytest.mark.parametrize(
    "name", ["ravel", "matrix_transpose", "flip", "fliplr", "flipud", "copy", "transpose"]
)
@given(array=arrays(), seed=seeds)
@settings(max_examples=7)
def test_functions_of_one_array(name: str, array: ShapedArray, seed: int) -> None:
    check(f"numpy.{name}", array, seed=seed)


@pytest.mark.parametrize("name", ["transpose", "permute_dims"])
@given(array=arrays(), data=st.data(), seed=seeds)
@settings(max_examples=14)
def test_transpose(name: str, array: ShapedArray, data: st.DataObject, seed: int) -> None:
    order = data.draw(st.permutations(range(rank(array))))
    if data.draw(st.integers(0, 4)) == 0:
        order = data.draw(st.lists(st.integers(-3, 2), max_size=3))
    check(f"numpy.{name}", array, tuple(order), seed=seed)


@given(array=arrays(), data=st.data(), seed=seeds)
@settings(max_examples=14)
def test_swapaxes(array: ShapedArray, data: st.DataObject, seed: int) -> None:
    pair = data.draw(an_axis(rank(array))), data.draw(an_axis(rank(array)))
    check("numpy.swapaxes", array, *pair, seed=seed)


@given(array=arrays(), data=st.data(), seed=seeds)
@settings(max_examples=21)
def test_moveaxis(array: ShapedArray, data: st.DataObject, seed: int) -> None:
    ndim = rank(array)
    source: Any = data.draw(an_axis(ndim))
    destination: Any = data.draw(an_axis(ndim))
    if ndim and data.draw(st.booleans()):
        count = data.draw(st.integers(1, ndim))
        source = tuple(data.draw(st.permutations(range(ndim)))[:count])
        destination = tuple(data.draw(st.permutations(range(-ndim, 0)))[:count])
    check("numpy.moveaxis", array, source, destination, seed=seed)


@given(array=arrays(shapes(1, 3)), data=st.data(), seed=seeds)
@settings(max_examples=10)
def test_rollaxis(array: ShapedArray, data: st.DataObject, seed: int) -> None:
    ndim = rank(array)
    axis = data.draw(st.integers(-ndim, ndim - 1))
    check("numpy.rollaxis", array, axis, data.draw(st.integers(-ndim, ndim)), seed=seed)


@given(array=arrays(), data=st.data(), seed=seeds)
@settings(max_examples=14)
def test_expand_dims(array: ShapedArray, data: st.DataObject, seed: int) -> None:
    axis: Any = data.draw(an_axis(rank(array) + 1))
    if data.draw(st.booleans()):
        axis = tuple(data.draw(st.lists(an_axis(rank(array) + 2), max_size=2)))
    check("numpy.expand_dims", array, axis, seed=seed)


ones_and_more = st.lists(st.sampled_from([1, 1, 2, 3]), max_size=4).map(tuple)


@given(array=arrays(ones_and_more), data=st.data(), seed=seeds)
@settings(max_examples=21)
def test_squeeze(array: ShapedArray, data: st.DataObject, seed: int) -> None:
    axis: Any = data.draw(st.none() | an_axis(rank(array)))
    if data.draw(st.booleans()):
        axis = tuple(i for i, size in enumerate(known_shape(array)) if size == 1)
    check("numpy.squeeze", array, axis, seed=seed)


@given(pair=broadcastable(2), typing=typings(), seed=seeds)
@settings(max_examples=21)
def test_broadcast_to(pair: list[tuple[int, ...]], typing: Any, seed: int) -> None:
    check("numpy.broadcast_to", ShapedArray(pair[0], *typing), pair[1], seed=seed)


@pytest.mark.parametrize("name", ["atleast_1d", "atleast_2d", "atleast_3d"])
@given(several=st.lists(arrays(), min_size=1, max_size=2), seed=seeds)
@settings(max_examples=7)
def test_atleast(name: str, several: list[ShapedArray], seed: int) -> None:
    check(f"numpy.{name}", *several, seed=seed)


@given(array=arrays(shapes(2, 3)), turns=st.integers(-2, 5), seed=seeds)
@settings(max_examples=10)
def test_rot90(array: ShapedArray, turns: int, seed: int) -> None:
    check("numpy.rot90", array, turns, seed=seed)


@given(array=arrays(), shift=st.integers(-2, 2), data=st.data(), seed=seeds)
@settings(max_examples=7)
def test_roll(array: ShapedArray, shift: int, data: st.DataObject, seed: int) -> None:
    check("numpy.roll", array, shift, data.draw(st.none() | an_axis(rank(array))), seed=seed)


@given(array=arrays(), data=st.data(), seed=seeds)
@settings(max_examples=21)
def test_pad(array: ShapedArray, data: st.DataObject, seed: int) -> None:
    width = st.integers(0, 3)
    pair = st.tuples(width, width)
    all_pairs = st.tuples(*(pair for _ in range(rank(array))))
    widths = data.draw(width | pair | all_pairs | st.tuples(pair) | st.tuples(width))
    check("numpy.pad", array, widths, seed=seed)


@given(array=arrays(), repeats=st.integers(0, 3), data=st.data(), seed=seeds)
@settings(max_examples=21)
def test_repeat(array: ShapedArray, repeats: Any, data: st.DataObject, seed: int) -> None:
    axis = data.draw(st.none() | an_axis(rank(array)))
    options: dict[str, Any] = {"axis": axis}
    if data.draw(st.integers(0, 3)) == 0:
        options["total_repeat_length"] = data.draw(st.integers(0, 6))
    check("numpy.repeat", array, repeats, seed=seed, **options)


@given(array=arrays(), counts=st.integers(0, 3) | shapes(), seed=seeds)
@settings(max_examples=14)
def test_tile(array: ShapedArray, counts: Any, seed: int) -> None:
    check("numpy.tile", array, counts, seed=seed)


@given(array=arrays(shapes(1, 3)), order=st.integers(0, 4), data=st.data(), seed=seeds)
@settings(max_examples=21)
def test_diff(array: ShapedArray, order: int, data: st.DataObject, seed: int) -> None:
    options: dict[str, Any] = {"n": order, "axis": data.draw(an_axis(rank(array)))}
    for name in ("prepend", "append"):
        if data.draw(st.integers(0, 3)) == 0:
            options[name] = data.draw(arrays(()) | arrays(known_shape(array)))
    check("numpy.diff", array, seed=seed, **options)


@pytest.mark.parametrize("name", ["diagonal", "trace"])
@given(array=arrays(), offset=st.integers(-3, 3), data=st.data(), seed=seeds)
@settings(max_examples=14)
def test_diagonals(
    name: str, array: ShapedArray, offset: int, data: st.DataObject, seed: int
) -> None:
    pair = data.draw(an_axis(rank(array))), data.draw(an_axis(rank(array)))
    check(f"numpy.{name}", array, offset, *pair, seed=seed)


@pytest.mark.parametrize("name", ["diag", "diagflat", "tril", "triu"])
@given(array=arrays(), offset=st.integers(-3, 3), seed=seeds)
@settings(max_examples=14)
def test_matrices_of_diagonals(name: str, array: ShapedArray, offset: int, seed: int) -> None:
    check(f"numpy.{name}", array, offset, seed=seed)


@st.composite
def joinable(draw: st.DrawFn, axis: int | None) -> list[ShapedArray]:
    """Arrays that mostly agree outside of an axis."""
    shape = draw(shapes(0, 3))
    results: list[ShapedArray] = []
    for _ in range(draw(st.integers(1, 3))):
        size = list(shape)
        if axis is not None and -len(size) <= axis < len(size):
            size[axis] = draw(st.integers(0, 4))
        if draw(st.integers(0, 11)) == 0:
            size = list(draw(shapes()))
        results.append(ShapedArray(tuple(size), *draw(typings())))
    return results


@given(data=st.data(), seed=seeds)
@settings(max_examples=35)
def test_concatenate(data: st.DataObject, seed: int) -> None:
    axis = data.draw(st.none() | st.integers(-3, 2))
    check("numpy.concatenate", data.draw(joinable(axis)), axis=axis, seed=seed)


@given(data=st.data(), seed=seeds)
@settings(max_examples=35)
def test_stack(data: st.DataObject, seed: int) -> None:
    check("numpy.stack", data.draw(joinable(None)), data.draw(st.integers(-3, 3)), seed=seed)


@pytest.mark.parametrize(
    ("name", "axis"), [("vstack", 0), ("hstack", 1), ("dstack", 2), ("column_stack", 1)]
)
@given(data=st.data(), seed=seeds)
@settings(max_examples=17)
def test_stacking(name: str, axis: int, data: st.DataObject, seed: int) -> None:
    check(f"numpy.{name}", tuple(data.draw(joinable(axis))), seed=seed)


@given(left=arrays(), right=arrays(), axis=st.none() | st.integers(-2, 1), seed=seeds)
@settings(max_examples=17)
def test_append(left: ShapedArray, right: ShapedArray, axis: int | None, seed: int) -> None:
    check("numpy.append", left, right, axis, seed=seed)


@pytest.mark.parametrize("name", ["split", "array_split"])
@given(array=arrays(shapes(1, 3)), data=st.data(), seed=seeds)
@settings(max_examples=21)
def test_split(name: str, array: ShapedArray, data: st.DataObject, seed: int) -> None:
    parts: Any = data.draw(
        st.integers(1, 4) | st.lists(st.integers(0, 5), max_size=3).map(sorted).map(tuple)
    )
    check(f"numpy.{name}", array, parts, data.draw(an_axis(rank(array))), seed=seed)


@pytest.mark.parametrize("name", ["hsplit", "vsplit", "dsplit"])
@given(array=arrays(shapes(0, 3)), parts=st.integers(1, 3), seed=seeds)
@settings(max_examples=10)
def test_splitting_of_an_axis(name: str, array: ShapedArray, parts: int, seed: int) -> None:
    check(f"numpy.{name}", array, parts, seed=seed)


@given(array=arrays(), data=st.data(), seed=seeds)
@settings(max_examples=10)
def test_unstack(array: ShapedArray, data: st.DataObject, seed: int) -> None:
    check("numpy.unstack", array, axis=data.draw(an_axis(rank(array))), seed=seed)


@given(data=st.data(), seed=seeds)
@settings(max_examples=10)
def test_broadcast_arrays(data: st.DataObject, seed: int) -> None:
    several = [ShapedArray(shape, *data.draw(typings())) for shape in data.draw(broadcastable(3))]
    check("numpy.broadcast_arrays", *several, seed=seed)


@given(
    several=st.lists(arrays(st.tuples(sizes)), min_size=1, max_size=3),
    sparse=st.booleans(),
    indexing=st.sampled_from(["xy", "ij"]),
    seed=seeds,
)
@settings(max_examples=14)
def test_meshgrid(several: list[ShapedArray], sparse: bool, indexing: str, seed: int) -> None:
    check("numpy.meshgrid", *several, sparse=sparse, indexing=indexing, seed=seed)
