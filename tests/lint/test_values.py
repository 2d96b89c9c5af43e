"""Joining abstract values: what is reported after an `if` holds whichever branch was taken."""

from hypothesis import given, settings
from hypothesis import strategies as st

from oakum import dtypes
from oakum.values.avals import ShapedArray
from oakum_lint.domain.callables import TypeForm
from oakum_lint.domain.joins import MAX_CHOICES, element_of, join, join_all
from oakum_lint.domain.values import (
    NONE,
    UNKNOWN,
    Array,
    Choice,
    Constant,
    DTypeValue,
    Entries,
    External,
    HeapObject,
    Items,
    Place,
    Scalar,
    Tree,
    TupleValue,
    Unknown,
    Value,
    is_tracer,
)

PLACES = st.sampled_from(list(Place))
AVALS = st.builds(
    ShapedArray,
    st.none() | st.lists(st.integers(0, 3), max_size=2).map(tuple),
    st.none() | st.sampled_from([dtypes.find("float32"), dtypes.find("int32")]),
    st.booleans(),
)
ARRAYS = st.builds(Array, AVALS, PLACES, st.integers(0, 2))
LEAVES: st.SearchStrategy[Value] = st.one_of(
    st.just(UNKNOWN),
    st.just(NONE),
    st.integers(0, 2).map(Constant),
    st.booleans().map(Constant),
    st.sampled_from([0.0, 1.5, "a", "b", b"a"]).map(Constant),
    st.sampled_from([Scalar("int"), Scalar("str"), Scalar("str", True), Scalar("number")]),
    ARRAYS,
    st.builds(Tree, PLACES, st.integers(0, 2)),
    st.sampled_from([External("jax.numpy.sum"), External("jax.numpy.max")]),
    st.sampled_from([DTypeValue(None), DTypeValue("float32")]),
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3).map(lambda parts: TupleValue(tuple(parts))),
    max_leaves=4,
)


def shape_of(value: Value) -> object:
    """A value without the order of choices."""
    match value:
        case Choice(options):
            return frozenset(map(shape_of, options))
        case TupleValue(elements, rest, _):
            parts = None if elements is None else tuple(map(shape_of, elements))
            return "tuple", parts, shape_of(rest)
        case _:
            return value


def as_options(value: Value) -> tuple[Value, ...]:
    return value.options if isinstance(value, Choice) else (value,)


@given(VALUES)
def test_a_value_joined_with_itself_is_unchanged(value: Value) -> None:
    """An `if` both of whose branches assign the same loses nothing."""
    assert join(value, value) == value


@given(VALUES, VALUES)
@settings(max_examples=100)
def test_the_order_of_branches_does_not_matter(first: Value, second: Value) -> None:
    assert shape_of(join(first, second)) == shape_of(join(second, first))


@given(VALUES)
def test_nothing_is_known_where_one_branch_is_not(value: Value) -> None:
    assert join(value, UNKNOWN) == UNKNOWN
    assert join(UNKNOWN, value) == UNKNOWN


@given(VALUES, VALUES)
@settings(max_examples=100)
def test_a_third_branch_like_the_first_adds_nothing(first: Value, second: Value) -> None:
    """A loop reaches its fixed point: joining again what was joined changes nothing."""
    joined = join(first, second)
    assert shape_of(join(joined, joined)) == shape_of(joined)
    assert shape_of(join(joined, second)) == shape_of(joined)


@given(VALUES, VALUES)
@settings(max_examples=100)
def test_what_is_no_tracer_in_one_branch_is_not_certainly_one_after(
    first: Value, second: Value
) -> None:
    """Else code that only sometimes fails would be reported as if it always did."""
    joined = join(first, second)
    if is_tracer(joined):
        assert is_tracer(first) or isinstance(first, Choice)
        assert is_tracer(second) or isinstance(second, Choice)


@given(st.lists(VALUES, max_size=8))
def test_a_join_never_offers_more_than_a_few_choices(values: list[Value]) -> None:
    """Else calling the joined value would take ever longer."""
    assert len(as_options(join_all(tuple(values)))) <= MAX_CHOICES


def test_the_join_of_nothing_is_unknown() -> None:
    assert join_all(()) == UNKNOWN


def test_numbers_of_one_kind_join_to_that_kind() -> None:
    assert join(Constant(1), Constant(2)) == Scalar("int")
    assert join(Constant("a"), Scalar("str", True)) == Scalar("str", True)


def test_true_and_one_are_different_knowledge() -> None:
    """`flag = True` and `flag = 1` are equal in Python; their types are not."""
    assert Constant(True) != Constant(1)
    assert join(Constant(True), Constant(1)) == Choice((Constant(True), Constant(1)))


def test_none_and_a_tracer_stay_two_choices() -> None:
    tracer = Array(ShapedArray((), None, None), Place.ABSTRACT, 1)
    assert join(NONE, tracer) == Choice((NONE, tracer))


def test_arrays_keep_what_their_shapes_have_in_common() -> None:
    wide = Array(ShapedArray((2, 3), dtypes.find("float32"), False), Place.ABSTRACT, 1)
    tall = Array(ShapedArray((4, 3), dtypes.find("float32"), False), Place.ABSTRACT, 1)
    joined = join(wide, tall)
    assert isinstance(joined, Array)
    assert joined.aval.dtype == dtypes.find("float32")
    assert joined.aval.shape != wide.aval.shape
    assert joined.place is Place.ABSTRACT


def test_a_tracer_joined_with_a_concrete_array_is_not_reported() -> None:
    aval = ShapedArray((), None, None)
    joined = join(Array(aval, Place.ABSTRACT, 1), Array(aval, Place.DEVICE))
    assert isinstance(joined, Array)
    assert joined.place is Place.ANY
    assert not is_tracer(joined)


def test_dicts_keep_the_keys_of_both_branches() -> None:
    first = Entries(((("a"), Constant(1)), ("b", Constant("x"))))
    second = Entries((("a", Constant(2)),))
    assert join(first, second) == Entries((("a", Scalar("int")),), Constant("x"))


def test_a_dict_finds_what_is_under_an_equal_key() -> None:
    """`table[True]` is `table[1]`, and nothing under "1"."""
    entries = Entries(((1, Constant("int")), ("1", Constant("text"))))
    assert entries.get(True) == entries.get(1.0) == Constant("int")
    assert entries.get("1") == Constant("text")
    assert entries.get(2) is None


def test_any_element_of_a_container() -> None:
    assert element_of(Items((Constant(1), Constant(2)))) == Scalar("int")
    assert element_of(Items(None, NONE)) == NONE
    assert element_of(Items(())) == UNKNOWN
    assert element_of(Entries((("a", NONE),), NONE)) == NONE


def test_an_unbounded_tuple_joins_to_its_element() -> None:
    joined = join(TupleValue((Constant(1),)), TupleValue((Constant(2), Constant(3))))
    assert joined == TupleValue(None, Scalar("int"))


def test_objects_are_told_apart_by_identity() -> None:
    """Two empty lists are two lists: appending to one says nothing of the other."""
    first, second = HeapObject("list", 0), HeapObject("list", 0)
    assert first != second
    assert isinstance(join(first, second), Choice)
    assert not isinstance(join(first, first), Unknown)


def test_a_type_that_doubles_with_every_line_forgets_its_arguments() -> None:
    """`Form = Form | list[Form]`, forty times, would take all memory."""
    form = TypeForm("typing.Union", ())
    for _ in range(40):
        form = TypeForm("typing.Union", (form, form))
    assert form.arguments == ()
