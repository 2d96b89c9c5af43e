"""Abstract values form a lattice, print as users read them, and parse back."""

import operator
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oakum import dtypes
from oakum.values import avals, dims
from oakum.values.avals import (
    UNKNOWN,
    UNKNOWN_DIM,
    ConcreteArray,
    Dim,
    PythonScalar,
    ShapedArray,
    is_subset,
    join,
    parse_aval,
)

n, m = dims.symbol("n"), dims.symbol("m")
sizes: st.SearchStrategy[Dim] = st.sampled_from(
    [0, 1, 2, 3, n, m, dims.add(n, 1), dims.mul(n, m), UNKNOWN_DIM]
)
shapes = st.none() | st.lists(sizes, max_size=3).map(tuple)
some_dtypes = st.none() | st.sampled_from([dtypes.float32, dtypes.int8, dtypes.key_fry])
truth = st.sampled_from([True, False, None])
arrays = st.builds(ShapedArray, shapes, some_dtypes, truth)
concrete = st.builds(
    ConcreteArray,
    st.just(()),
    st.just(dtypes.float32),
    st.booleans(),
    st.sampled_from([0.0, -0.0, 1.0, float("nan"), (1.0, 2.0)]),
)
constants = st.sampled_from(
    [None, True, False, 0, 1, 1.0, -0.0, 0.0, float("nan"), 1j, "a", "b", Ellipsis, dtypes.int8]
)
KINDS: tuple[avals.ScalarKind, ...] = ("bool", "int", "float", "complex", "str")
scalars = st.builds(PythonScalar, st.sampled_from(KINDS))
leaves = arrays | concrete | constants | scalars | st.just(UNKNOWN)
values = st.recursive(
    leaves,
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.lists(inner, max_size=2).map(tuple)
        | st.dictionaries(st.sampled_from(["a", "b"]), inner, max_size=2)
        | st.builds(slice, inner, inner, inner)
    ),
    max_leaves=4,
)


def same(left: Any, right: Any) -> bool:
    """Equality by knowledge, under which NaN is itself."""
    return is_subset(left, right) and is_subset(right, left)


@given(left=values, right=values)
def test_join_is_an_upper_bound_of_both(left: Any, right: Any) -> None:
    both = join(left, right)
    assert is_subset(left, both)
    assert is_subset(right, both)


@given(left=values, right=values)
def test_join_is_commutative(left: Any, right: Any) -> None:
    assert same(join(left, right), join(right, left))


@given(first=values, second=values, third=values)
def test_join_is_associative(first: Any, second: Any, third: Any) -> None:
    assert same(join(join(first, second), third), join(first, join(second, third)))


@given(value=values)
def test_join_is_idempotent(value: Any) -> None:
    assert same(join(value, value), value)
    assert is_subset(value, UNKNOWN)


@given(left=values, right=values)
def test_join_with_a_bound_is_the_bound(left: Any, right: Any) -> None:
    if is_subset(left, right):
        assert same(join(left, right), right)


@given(first=values, second=values, third=values)
def test_the_order_is_transitive(first: Any, second: Any, third: Any) -> None:
    if is_subset(first, second) and is_subset(second, third):
        assert is_subset(first, third)


@given(array=arrays)
def test_what_is_printed_parses_back(array: ShapedArray) -> None:
    weak = array.weak_type or None if array.dtype is None else bool(array.weak_type)
    assert parse_aval(str(array)) == array.update(weak_type=weak)


@pytest.mark.parametrize(
    ("aval", "text"),
    [
        (ShapedArray((8, 128), dtypes.float32), "f32[8,128]"),
        (ShapedArray((n, UNKNOWN_DIM), dtypes.bfloat16), "bf16[n,?]"),
        (ShapedArray(None, dtypes.float32), "f32[...]"),
        (ShapedArray((3,), None, None), "?[3]"),
        (ShapedArray((), dtypes.float32, weak_type=True), "~f32[]"),
        (ShapedArray((), dtypes.key_fry), "key<fry>[]"),
        (ConcreteArray((), dtypes.int32, False, 3), "i32[]"),
        (ShapedArray((dims.add(dims.mul(2, n), 1),), dtypes.bool_), "bool[2*n+1]"),
    ],
)
def test_arrays_print_as_jax_writes_them(aval: ShapedArray, text: str) -> None:
    assert str(aval) == text


@pytest.mark.parametrize("text", ["f32", "f32[", "banana[3]", "f32[8]x", "[3]"])
def test_what_is_no_array_does_not_parse(text: str) -> None:
    with pytest.raises(ValueError, match="not an abstract array"):
        parse_aval(text)


def test_dimensions_and_sizes() -> None:
    assert parse_aval("f32[2,3]").size == 6
    assert parse_aval("f32[n,3]").ndim == 2
    assert parse_aval("f32[...]").size == UNKNOWN_DIM
    assert parse_aval("f32[?,0]").size == 0
    assert parse_aval("f32[...]").ndim is None


def test_numbers_of_different_types_have_nothing_in_common() -> None:
    assert join(1, True) is UNKNOWN
    assert join(1, 1.0) is UNKNOWN
    assert join(1, 2) == PythonScalar("int")
    assert join(PythonScalar("int"), 2) == PythonScalar("int")
    assert join(0.0, -0.0) == PythonScalar("float")


def test_deep_nesting_ends_in_unknown() -> None:
    left: Any = 1
    right: Any = 2
    for _ in range(10_000):
        left, right = [left], [right]
    joined: Any = join(left, right)
    for _ in range(40):
        joined = joined if joined is UNKNOWN else joined[0]
    assert joined is UNKNOWN


def test_promotion_of_values() -> None:
    assert avals.promote_avals(parse_aval("bf16[8]"), 2.0, True) == (dtypes.bfloat16, False)
    assert avals.promote_avals(1, 2.0) == (dtypes.float32, True)
    assert avals.promote_avals(PythonScalar("int"), parse_aval("i8[]")) == (dtypes.int8, False)
    assert avals.promote_avals(UNKNOWN, 1) == (None, None)


assignments = st.fixed_dictionaries({"n": st.integers(0, 5), "m": st.integers(0, 5)})


def value_of(dim: Dim, names: dict[str, int]) -> int:
    if isinstance(dim, int):
        return dim
    assert isinstance(dim, dims.SymbolicDim)
    total = 0
    for monomial, factor in dim.terms:
        for name in monomial:
            factor *= names[name]
        total += factor
    return total


known_sizes = sizes.filter(lambda size: size != UNKNOWN_DIM)
OPERATIONS: dict[str, Callable[[int, int], int]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "floordiv": lambda a, b: a // b,
    "minimum": min,
    "maximum": max,
}


@pytest.mark.parametrize("name", OPERATIONS)
@given(left=known_sizes, right=known_sizes, names=assignments)
def test_arithmetic_on_sizes_holds_for_all_their_values(
    name: str, left: Dim, right: Dim, names: dict[str, int]
) -> None:
    result = getattr(dims, name)(left, right)
    if result == UNKNOWN_DIM or (name == "floordiv" and value_of(right, names) == 0):
        return
    assert value_of(result, names) == OPERATIONS[name](
        value_of(left, names), value_of(right, names)
    )


@given(left=known_sizes, right=known_sizes, names=assignments)
def test_comparisons_of_sizes_hold_for_all_their_values(
    left: Dim, right: Dim, names: dict[str, int]
) -> None:
    a, b = value_of(left, names), value_of(right, names)
    assert dims.equal(left, right) in (None, a == b)
    assert dims.less(left, right) in (None, a < b)
    assert dims.parse(str(left)) == left


@given(left=known_sizes, right=known_sizes, names=assignments)
def test_broadcast_sizes_hold_for_all_their_values(
    left: Dim, right: Dim, names: dict[str, int]
) -> None:
    a, b = value_of(left, names), value_of(right, names)
    fits = a == b or 1 in (a, b)
    result = dims.broadcast(left, right)
    if fits:
        assert result is not None
        if result != UNKNOWN_DIM:
            assert value_of(result, names) == (b if a == 1 else a)
