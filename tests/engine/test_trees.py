"""Trees are taken apart and put together as JAX does it.

A difference gives a user of JAX other leaves, another order of them, or another structure.
"""

# JAX is typed in part only.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false

import dataclasses
import functools
import pickle
from collections import OrderedDict, defaultdict
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

import oakum.tree
from oakum import tree_util
from oakum.pytrees import pytree
from oakum.pytrees.pytree import PyTreeDef
from oakum.tree_util import DictKey, FlattenedIndexKey, GetAttrKey, Partial, SequenceKey

jax: Any = pytest.importorskip("jax")


class Point(NamedTuple):
    x: Any
    y: Any


class Pair:
    """Registered by functions, without keys."""

    def __init__(self, left: Any, right: Any, name: str) -> None:
        self.left, self.right, self.name = left, right, name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Pair) and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]


@dataclasses.dataclass
class Layer:
    weight: Any
    bias: Any
    name: str = dataclasses.field(metadata={"static": True})


class Keyed:
    """Has the methods of a container with keys."""

    def __init__(self, *parts: Any) -> None:
        self.parts = parts

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Keyed) and self.parts == other.parts

    __hash__ = None  # type: ignore[assignment]

    def tree_flatten_with_keys(self) -> tuple[Any, None]:
        return [(GetAttrKey(f"part{i}"), part) for i, part in enumerate(self.parts)], None

    @classmethod
    def tree_unflatten(cls, data: None, children: Any) -> "Keyed":
        return cls(*children)


class Units(str):
    """Registered as static."""


for package in (tree_util, jax.tree_util):
    package.register_pytree_node(
        Pair,
        lambda pair: ((pair.left, pair.right), pair.name),
        lambda name, children: Pair(children[0], children[1], name),
    )
    package.register_dataclass(Layer)
    package.register_static(Units)
    package.register_pytree_with_keys_class(Keyed)

names = st.text("abc", max_size=2)
leaf_values = st.integers() | st.floats(allow_nan=False) | st.text(max_size=3) | st.just(print)


def containers(below: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    dicts = st.dictionaries(names, below, max_size=3)
    return st.one_of(
        st.lists(below, max_size=3),
        st.lists(below, max_size=3).map(tuple),
        dicts,
        dicts.map(OrderedDict),
        dicts.map(lambda mapping: defaultdict(list, mapping)),
        st.builds(Point, below, below),
        st.builds(Pair, below, below, names),
        st.builds(Layer, below, below, names),
        st.lists(below, max_size=3).map(lambda parts: Keyed(*parts)),
        st.builds(Units, names),
    )


any_tree = st.recursive(leaf_values | st.none(), containers, max_leaves=12)


@given(any_tree)
def test_leaves_and_structure_are_those_of_jax(tree: Any) -> None:
    leaves, treedef = pytree.flatten(tree)
    expected, reference = jax.tree_util.tree_flatten(tree)
    assert leaves == expected
    assert repr(treedef) == repr(reference)
    assert (treedef.num_leaves, treedef.num_nodes) == (reference.num_leaves, reference.num_nodes)
    assert repr(treedef.children()) == repr(reference.children())
    assert treedef.node_data() == reference.node_data()


@given(any_tree)
def test_a_tree_is_put_together_again(tree: Any) -> None:
    leaves, treedef = pytree.flatten(tree)
    assert treedef.unflatten(leaves) == tree
    assert treedef.unflatten(iter(leaves)) == tree
    assert treedef.flatten_up_to(tree) == leaves
    again = pickle.loads(pickle.dumps(treedef))
    assert again == treedef
    assert hash(again) == hash(treedef)
    children = treedef.children()
    assert treedef.num_nodes == 1 + sum(child.num_nodes for child in children)
    if (node_data := treedef.node_data()) is not None:
        assert PyTreeDef.from_node_data_and_children(None, node_data, children) == treedef


@given(any_tree, any_tree)
def test_structures_are_equal_when_those_of_jax_are(one: Any, two: Any) -> None:
    ours = pytree.structure(one), pytree.structure(two)
    theirs = jax.tree.structure(one), jax.tree.structure(two)
    assert (ours[0] == ours[1]) == (theirs[0] == theirs[1])
    if ours[0] == ours[1]:
        assert hash(ours[0]) == hash(ours[1])


@given(any_tree)
def test_paths_are_those_of_jax(tree: Any) -> None:
    found, treedef = pytree.flatten_with_path(tree)
    expected = jax.tree_util.tree_leaves_with_path(tree)
    assert [leaf for _, leaf in found] == [leaf for _, leaf in expected]
    # The keys of `Keyed` are ours in both.
    assert [pytree.keystr(path) for path, _ in found] == [
        jax.tree_util.keystr(path) for path, _ in expected
    ]
    assert treedef == pytree.structure(tree)


@given(any_tree, st.sampled_from([tuple, list, dict, Point, Pair, type(None)]))
def test_a_predicate_cuts_a_tree_where_jax_does(tree: Any, cut: type) -> None:
    def is_leaf(subtree: Any) -> bool:
        return isinstance(subtree, cut)

    leaves, treedef = pytree.flatten(tree, is_leaf)
    expected, reference = jax.tree_util.tree_flatten(tree, is_leaf)
    assert leaves == expected
    assert repr(treedef) == repr(reference)
    prefix = treedef.unflatten(range(len(leaves)))
    broadcast = jax.tree_util.tree_map(
        lambda number, below: [number] * len(jax.tree.leaves(below)), prefix, tree
    )
    numbers = [n for group in jax.tree.leaves(broadcast) for n in [group]]
    assert pytree.broadcast_prefix(prefix, tree) == numbers
    assert pytree.broadcast_prefix_to(prefix, pytree.structure(tree)) == numbers


@given(any_tree, any_tree)
def test_two_trees_match_when_they_do_for_jax(one: Any, two: Any) -> None:
    ours = outcome(lambda: pytree.map(lambda *pair: Units(str(pair)), one, two))
    theirs = outcome(lambda: jax.tree.map(lambda *pair: Units(str(pair)), one, two))
    assert ours == theirs
    # There is a place to report exactly when the trees do not match.
    assert bool(pytree.prefix_errors(one, two)) == isinstance(ours, type)
    same = pytree.structure(one) == pytree.structure(two)
    assert same == (not list(pytree.equality_errors(one, two)))


def outcome(run: Callable[[], Any]) -> Any:
    """The result, or that the trees do not match."""
    try:
        return run()
    except (ValueError, AttributeError):  # JAX reads `.key` of a GetAttrKey for its message
        return ValueError


plain_tree = st.recursive(
    st.just(0) | st.none(),
    lambda below: (
        st.lists(below, max_size=3)
        | st.lists(below, max_size=3).map(tuple)
        | st.dictionaries(names, below, max_size=3)
    ),
)


@given(plain_tree)
def test_the_bytes_of_a_structure_are_those_of_jax(tree: Any) -> None:
    treedef = pytree.structure(tree)
    data = treedef.serialize_using_proto()
    assert data == jax.tree.structure(tree).serialize_using_proto()
    assert PyTreeDef.deserialize_using_proto(None, data) == treedef


@pytest.mark.parametrize(
    "data", [b"abc", b"", b"\n\x02\x10\x09", b"\n\xff", b"\n\x04\x08\x03\x10\x02"]
)
def test_bytes_that_hold_no_structure_are_refused(data: bytes) -> None:
    with pytest.raises(RuntimeError, match="hold no structure"):
        PyTreeDef.deserialize_using_proto(None, data)


def test_only_built_in_containers_have_bytes() -> None:
    with pytest.raises(ValueError, match="User-defined nodes are not supported"):
        pytree.structure(Point(1, 2)).serialize_using_proto()
    with pytest.raises(ValueError, match="Only string keys are supported"):
        pytree.structure({1: 2}).serialize_using_proto()


def test_a_tree_of_any_depth_is_taken_apart() -> None:
    """A linked list of thousands of cells must not exhaust the stack."""
    tree: Any = None
    for number in range(20_000):
        tree = (number, tree)
    leaves, treedef = pytree.flatten(tree)
    assert leaves == list(reversed(range(20_000)))
    assert treedef == pytree.structure(treedef.unflatten(leaves))
    assert hash(treedef) == hash(pytree.structure(tree))
    assert repr(treedef).count("(") == 20_001
    assert treedef.flatten_up_to(tree) == leaves


def test_children_are_made_from_left_to_right() -> None:
    """The functions of a user's class are called in the order of the leaves."""
    made: list[Any] = []

    class Noted:
        def __init__(self, value: Any) -> None:
            self.value = value
            made.append(value)

    tree_util.register_pytree_node(Noted, lambda it: ((it.value,), None), lambda _, xs: Noted(*xs))
    tree = [Noted(1), (Noted(2), Noted(3))]
    made.clear()
    pytree.map(lambda x: 10 * x, tree)
    assert made == [10, 20, 30]


@pytest.mark.parametrize("count", [0, 1, 3])
def test_a_wrong_number_of_leaves_is_refused(count: int) -> None:
    treedef = pytree.structure((1, {"a": 2}))
    with pytest.raises(ValueError, match=rf"expected 2, got {count}"):
        treedef.unflatten([0] * count)
    with pytest.raises(ValueError, match="leaves for PyTreeDef"):
        treedef.walk(lambda *_: None, None, [0] * count)


def test_keys_that_have_no_order_are_refused() -> None:
    with pytest.raises(ValueError, match="Comparator raised exception"):
        pytree.flatten({"a": 1, 2: 3})


@pytest.mark.parametrize(
    ("one", "two", "where"),
    [
        ({"a": [1, (2, 3)]}, {"a": [1, (2,)]}, r"different lengths of tuple .*\n.*\['a'\]\[1\]"),
        (Point(1, [2]), Point(1, (2,)), r"different types .*\n.*tree\.y\n"),
        ({"a": {"b": 1}}, {"a": {"c": 1}}, r"different pytree metadata .*\n.*\['a'\]"),
        ({"a": 1}, {"a": 1, "b": 2}, r"numbers of pytree children(.|\n)*difference(.|\n)*\['b'\]"),
        (Pair(1, [2], "n"), Pair(1, 2, "n"), r"different types .*\n.*\[<flat index 1>\]"),
        ([None], [1], r"different types .*\n.*\[0\]"),
    ],
)
def test_an_error_of_a_map_says_where_the_trees_differ(one: Any, two: Any, where: str) -> None:
    with pytest.raises(ValueError, match=where):
        tree_util.tree_map(lambda *_: None, one, two)
    with pytest.raises(ValueError, match=where):
        tree_util.tree_map_with_path(lambda *_: None, one, two)
    with pytest.raises(ValueError, match=where):
        tree_util.tree_broadcast(one, two)


@pytest.mark.parametrize(
    ("one", "two", "message"),
    [
        ({"a": [1, (2, 3)]}, {"a": [1, (2,)]}, r"Tuple arity mismatch: 1 != 2.* At \['a'\]\[1\]"),
        ([{"a": 1}], [{"b": 1}], r"Dict key mismatch; expected keys: \['a'\]; .* At \[0\]"),
        ((1, Point(1, [2])), (1, Point(1, 3)), r"Expected list, got 3. At \[1\]\.y"),
        (Point(1, 2), (1, 2), r"Expected named tuple, got \(1, 2\). At the root"),
        ([None], [1], r"Expected None, got 1. At \[0\]"),
        (Pair(1, 2, "n"), Pair(1, 2, "m"), r"Mismatch custom node data: 'n' != 'm'"),
        (Keyed(1, 2), Keyed(1), r"Custom type arity mismatch: 1 != 2"),
        (Keyed(1, 2), 3, r"Custom node type mismatch: expected type: .*Keyed"),
        ((), (), None),
    ],
)
def test_an_error_of_flatten_up_to_says_where(one: Any, two: Any, message: str | None) -> None:
    treedef = pytree.structure(one)
    if message is None:
        assert pytree.flatten_up_to(treedef, two) == []
        return
    with pytest.raises(ValueError, match=message):
        pytree.flatten_up_to(treedef, two)


def test_a_structure_that_is_no_prefix_is_refused() -> None:
    with pytest.raises(ValueError, match=r"at \[1\] it has a tuple with 1 child.* a leaf"):
        pytree.broadcast_prefix_to((1, (2,)), pytree.structure((0, 0)))
    with pytest.raises(ValueError, match=r"dict with 1 child and the data \('a',\)"):
        pytree.broadcast_prefix_to({"a": 1}, pytree.structure({"b": 1}))


def test_differences_of_structures_are_listed() -> None:
    found = list(
        pytree.structure_errors(
            pytree.structure({"a": (1, 2), "b": [1], "c": Pair(1, 2, "n"), "d": {"x": 1}}),
            pytree.structure({"a": (1,), "b": (1,), "c": Pair(1, 2, "m"), "d": {}}),
        )
    )
    assert [(pytree.keystr(path), reason) for path, _, _, reason in found] == [
        ("['a']", "the lengths do not match"),
        ("['b']", "their Python types differ"),
        ("['c']", "the pytree node metadata does not match"),
        (
            "['d']",
            "the numbers of children do not match, with these keys on one side only: ['x']",
        ),
    ]


def test_data_that_cannot_be_compared_is_reported() -> None:
    """An array as a static field of a dataclass raises an error that says so."""

    class NoTruth:
        __hash__ = None  # type: ignore[assignment]

        def __eq__(self, other: object) -> bool:
            raise RuntimeError("no truth value")

    one, two = (pytree.structure(Pair(1, 2, NoTruth())) for _ in range(2))  # type: ignore[arg-type]
    assert hash(one) == hash(two)
    assert one == one
    with pytest.raises(ValueError, match="Exception raised while checking equality of metadata"):
        assert one == two
    assert (one == 3) is False


def test_a_predicate_has_to_give_a_bool() -> None:
    with pytest.raises(ValueError, match="non-boolean value 1"):
        pytree.flatten([1], lambda x: 1)
    assert pytree.flatten([1], lambda x: None)[0] == [1]


@pytest.mark.parametrize("answer", ["hello", (1, 2, 3), [(1,), 2], (7, 7)])
def test_a_wrong_answer_of_a_flatten_function_is_reported(answer: Any) -> None:
    class Wrong:
        pass

    tree_util.register_pytree_node(Wrong, lambda _: answer, lambda _, xs: Wrong())
    with pytest.raises(ValueError, match=r"\(children, aux_data\) tuple.*Wrong"):
        pytree.flatten(Wrong())


def test_children_may_be_any_iterable() -> None:
    class Stream:
        fails = False

    def flatten(stream: Stream) -> Any:
        return (each / (not stream.fails) for each in (1, 2)), None

    tree_util.register_pytree_node(Stream, flatten, lambda _, xs: Stream())
    stream = Stream()
    assert pytree.leaves(stream) == [1, 2]
    stream.fails = True
    with pytest.raises(ZeroDivisionError):
        pytree.leaves(stream)


@pytest.mark.parametrize("cls", [list, Pair, OrderedDict, Partial])
def test_a_class_is_registered_once(cls: type) -> None:
    with pytest.raises(ValueError, match="Duplicate custom PyTreeDef type registration"):
        tree_util.register_static(cls)


def test_only_classes_are_registered() -> None:
    with pytest.raises(TypeError, match="is no class"):
        tree_util.register_static(3)


def test_a_function_with_arguments_is_a_container() -> None:
    inner = functools.partial(max, 1)
    tree = Partial(inner, 2, key=abs)
    leaves, treedef = pytree.flatten(tree)
    assert leaves == [2, abs]
    again = treedef.unflatten([-9, abs])
    assert (again.func, again.args, again.keywords) == (inner, (-9,), {"key": abs})
    assert again(3) == -9
    assert pytree.structure(Partial(inner, 5, key=abs)) == treedef
    assert Partial(Partial(max, 1), 2).args == (2,)
    copied = pickle.loads(pickle.dumps(Partial(max, 3)))
    assert (type(copied), copied.func, copied.args) == (Partial, max, (3,))


def test_keys_print_compare_and_match_as_in_jax() -> None:
    keys = [SequenceKey(1), DictKey("a"), GetAttrKey("b"), FlattenedIndexKey(1)]
    theirs = jax.tree_util
    reference = [
        theirs.SequenceKey(1),
        theirs.DictKey("a"),
        theirs.GetAttrKey("b"),
        theirs.FlattenedIndexKey(1),
    ]
    assert list(map(str, keys)) == list(map(str, reference))
    assert list(map(repr, keys)) == list(map(repr, reference))
    assert len({*keys, *keys}) == 4
    assert hash(FlattenedIndexKey(1)) != hash(SequenceKey(1))
    assert pickle.loads(pickle.dumps(keys)) == keys
    path = (*keys, "own")
    assert tree_util.keystr(path) == theirs.keystr((*reference, "own"))
    assert tree_util.keystr(path, simple=True, separator=".") == "1.a.b.1.own"


def test_reductions() -> None:
    tree = {"a": 1, "b": (2, 3), "c": [4, 5]}
    assert tree_util.tree_reduce(lambda x, y: 10 * x + y, tree) == 12345
    assert tree_util.tree_reduce(lambda x, y: x + y, (), None) is None
    with pytest.raises(TypeError):
        tree_util.tree_reduce(lambda x, y: x + y, ())
    ours = tree_util.tree_reduce_associative(lambda x, y: f"({x}{y})", tree)
    assert ours == jax.tree.reduce_associative(lambda x, y: f"({x}{y})", tree) == "((12)(3(45)))"
    assert tree_util.tree_reduce_associative(max, [], identity=0) == 0
    with pytest.raises(TypeError, match="must specify identity"):
        tree_util.tree_reduce_associative(max, [])
    assert tree_util.tree_all([True, (1, "x")])
    assert not oakum.tree.all([True, (0, "x")])
    assert oakum.tree.all([True, (0, "x")], is_leaf=lambda x: isinstance(x, tuple))


def test_structures_are_composed_walked_and_transposed() -> None:
    outer = tree_util.tree_structure({"a": 0, "b": None})
    inner = tree_util.tree_structure([0, 0])
    assert str(outer.compose(inner)) == "PyTreeDef({'a': [*, *], 'b': None})"
    assert (
        str(tree_util.treedef_tuple([outer, inner])) == "PyTreeDef(({'a': *, 'b': None}, [*, *]))"
    )
    visited: list[Any] = []

    def visit(children: Any, data: Any) -> int:
        visited.append((children, data))
        return sum(children)

    treedef = tree_util.tree_structure(((1, 2), {"x": 3}, []))
    assert treedef.walk(visit, lambda leaf: -leaf, [1, 2, 3]) == -6
    assert visited == [((-1, -2), None), ((-3,), ["x"]), ((), None), ((-3, -3, 0), None)]
    assert treedef.from_iterable_tree([iter([1, 2]), [3], ()]) == ((1, 2), {"x": 3}, [])
    with pytest.raises(ValueError, match=r"Arity mismatch between trees.* at \[1\]"):
        treedef.from_iterable_tree([[1, 2], [3, 4], []])
    assert tree_util.tree_transpose(outer, inner, {"a": [1, 2], "b": None}) == [
        {"a": 1, "b": None},
        {"a": 2, "b": None},
    ]
    with pytest.raises(TypeError, match="Mismatch"):
        tree_util.tree_transpose(outer, inner, {"a": [1, 2, 3], "b": None})


def test_structures_are_made_of_node_data() -> None:
    leaf = PyTreeDef.from_node_data_and_children(None, None, [])
    assert tree_util.treedef_is_leaf(leaf)
    for tree in ([1, 2], {"a": 1, "b": 2}, Point(1, 2), Pair(1, 2, "n"), OrderedDict(b=1, a=2)):
        treedef = pytree.structure(tree)
        node_data = jax.tree.structure(tree).node_data()
        assert PyTreeDef.from_node_data_and_children(None, node_data, [leaf] * 2) == treedef
    with pytest.raises(ValueError, match="a leaf has no children"):
        PyTreeDef.from_node_data_and_children(None, None, [leaf])
    with pytest.raises(RuntimeError, match="is no container"):
        PyTreeDef.from_node_data_and_children(None, (int, None), [])


def test_one_level_is_taken_apart() -> None:
    registry = tree_util.default_registry
    assert pickle.loads(pickle.dumps(registry)) is registry
    for tree in ({"b": [1], "a": 2}, [1, (2,)], (1,), None, Point(1, 2), Layer(1, 2, "n")):
        children, data = tree_util.flatten_one_level(tree)
        reference = jax.tree_util.flatten_one_level(tree)
        assert (list(children), data) == (list(reference[0]), reference[1])
        assert registry.flatten_one_level(tree) == tree_util.flatten_one_level(tree)
        keyed = tree_util.flatten_one_level_with_keys(tree)
        assert [child for _, child in keyed[0]] == list(children)
        assert registry.flatten_one_level_with_keys(tree) == keyed
    assert registry.flatten_one_level(1) is registry.flatten_one_level_with_keys(1) is None
    for function in (tree_util.flatten_one_level, tree_util.flatten_one_level_with_keys):
        with pytest.raises(ValueError, match="can't tree-flatten type: <class 'int'>"):
            function(1)
    assert tree_util.is_tree_node(Point)
    assert not tree_util.is_tree_node(int)


def test_the_registry_registers() -> None:
    class Left:
        def __init__(self, value: Any, name: str) -> None:
            self.value, self.name = value, name

    registry = tree_util.default_registry
    registry.register_dataclass_node(Left, ["value"], ["name"])
    (path, leaf), treedef = registry.flatten_with_path(Left(3, "n"))[0][0], registry.flatten(1)[1]
    assert (path, leaf) == ((GetAttrKey("value"),), 3)
    assert treedef == pytree.LEAF
    again = pytree.map(lambda x: x + 1, Left(3, "n"))
    assert (again.value, again.name) == (4, "n")


def test_leaves_are_recognised() -> None:
    assert tree_util.all_leaves([1, "a", object()])
    assert not tree_util.all_leaves([1, None])
    assert tree_util.all_leaves([(1, 2)], is_leaf=lambda x: isinstance(x, tuple))
    assert not tree_util.all_leaves([[1]], is_leaf=lambda x: False)
    assert tree_util.treedef_children(pytree.structure((1, ()))) == [
        pytree.structure(1),
        pytree.structure(()),
    ]


def test_the_fields_of_a_dataclass_are_checked() -> None:
    @dataclasses.dataclass
    class Three:
        x: int
        y: int
        z: int = 0

    class Plain:
        pass

    register = tree_util.register_dataclass
    with pytest.raises(ValueError, match=r"Missing fields: \{'y'\}"):
        register(Three, ["x"], [], ["z"])
    with pytest.raises(ValueError, match=r"Unexpected fields: \{'w'\}"):
        register(Three, ["x", "y", "z", "w"], [])
    with pytest.raises(ValueError, match=r"must not overlap. Overlapping fields: \{'x'\}"):
        register(Three, ["x", "y", "z"], ["x"])
    with pytest.raises(TypeError, match="must both be specified"):
        register(Three, ["x"])
    with pytest.raises(TypeError, match="required when nodetype is not a dataclass"):
        register(Plain)
    assert register(Three, ["x"], ["y"], ["z"]) is Three
    assert pytree.structure(Three(1, 2)).unflatten([5]) == Three(5, 2)


def test_a_static_field_is_marked() -> None:
    field = oakum.tree.static(default=3, metadata={"more": 1})
    assert (field.default, dict(field.metadata)) == (3, {"static": True, "more": 1})
