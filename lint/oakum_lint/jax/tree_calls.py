"""Calls of `jax.tree` functions: they take values apart and build them, in the caller's own
trace.
"""

from oakum.values.avals import UNKNOWN_DIM
from oakum.values.records import dataclass, replace
from oakum_lint.arrays.array_results import UNKNOWN_ARRAY, place_of_result
from oakum_lint.arrays.pytrees import MAX_TREE_DEPTH, RegisteredClasses, leaves_of, take_apart
from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.callables import ClassValue, Scope
from oakum_lint.domain.doubts import note_stop
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.joins import join_all
from oakum_lint.domain.look_ups import content_of, entries_of
from oakum_lint.domain.parts import LibraryCall
from oakum_lint.domain.values import (
    NONE,
    UNKNOWN,
    Array,
    Choice,
    Constant,
    External,
    HeapObject,
    Place,
    Scalar,
    Tree,
    TupleValue,
    Unknown,
    Value,
)
from oakum_lint.python.expressions.conditions import decide
from oakum_lint.python.objects.containers import iterate, make_list
from oakum_lint.syntax import nodes

MAX_REDUCED = 16
SEVERAL_LEAVES = "the tree has more leaves"
"""What is not decided where a function is called for a leaf that is perhaps not there."""


def leaf_of(tree: Value) -> Value:
    """One leaf of a tree: of a traced tree a tracer."""
    match tree:
        case Tree(place, level, origin):
            return Array(UNKNOWN_ARRAY, place, level, origin)
        case Array() | Constant() | Scalar():
            return tree
        case HeapObject(kind="instance"):
            return tree
        case Unknown(facets=facets) if facets:
            return Unknown(facets=facets)
        case _:
            return UNKNOWN


def _asked_leaf(arguments: Arguments, position: int) -> Value:
    """The `is_leaf` of a call; UNKNOWN where it is asked with a path, which is not followed."""
    if arguments.get(-1, "is_leaf_takes_path") not in (None, Constant(False)):
        return UNKNOWN
    return arguments.get(position, "is_leaf") or NONE


def _is_leaf(
    machine: Machine, asked: Value, container: Value, frame: Frame, node: nodes.Node
) -> bool | None:
    """Whether `is_leaf` takes a container as a leaf; None where that is not known."""
    if asked == NONE:
        return False
    return decide(machine, machine.call(asked, Arguments((container,)), frame, node))


def _leaves(
    machine: Machine,
    tree: Value,
    asked: Value,
    frame: Frame,
    node: nodes.Node,
    depth: int = MAX_TREE_DEPTH,
) -> tuple[list[Value], bool]:
    """The leaves of a tree by `is_leaf`, in order, and whether they are all that there are."""
    if asked == NONE:
        leaves, complete = leaves_of(machine, tree, frame, node)
        return [leaf_of(leaf) for leaf in leaves], complete
    if not machine.spend(frame, node):
        return [], False
    container = take_apart(machine, tree, frame.level, frame, node) if depth else None
    if container is None:
        # A traced tree may hold containers that are leaves.
        return [UNKNOWN if isinstance(tree, Tree) else leaf_of(tree)], depth > 0
    stops = _is_leaf(machine, asked, tree, frame, node)
    if stops is not False:
        return [tree if stops else UNKNOWN], stops is True
    found: list[Value] = []
    complete = container.rest is None
    for child in (*container.children, *(() if container.rest is None else (container.rest,))):
        inner, whole = _leaves(machine, child, asked, frame, node, depth - 1)
        found.extend(inner)
        complete = complete and whole
    return found, complete


def tree_map(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    """`tree.map(f, tree, *rest)`."""
    function = arguments.get(0, "f") or UNKNOWN
    trees = arguments.positional[1:]
    if not trees and "tree" in arguments.keywords:
        trees = (arguments.keywords["tree"],)
    if not trees:
        return UNKNOWN
    mapped = _Mapped(function, (), _asked_leaf(arguments, -1))
    return _map_trees(machine, mapped, trees, frame, node, MAX_TREE_DEPTH)


def tree_map_with_path(
    machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    """`tree.map_with_path(f, tree, *rest)`: the function gets a key path first."""
    function = arguments.get(0, "f") or UNKNOWN
    trees = arguments.positional[1:]
    if not trees:
        return UNKNOWN
    mapped = _Mapped(function, (TupleValue(None, UNKNOWN),), _asked_leaf(arguments, -1))
    return _map_trees(machine, mapped, trees, frame, node, MAX_TREE_DEPTH)


@dataclass(frozen=True, slots=True)
class _Mapped:
    """What is called for each leaf, with what comes before the leaves, and what `is_leaf` is."""

    function: Value
    before: tuple[Value, ...]
    asked: Value

    def call(
        self, machine: Machine, leaves: tuple[Value, ...], frame: Frame, node: nodes.Node
    ) -> Value:
        """The result for one leaf of each tree."""
        return machine.call(self.function, Arguments((*self.before, *leaves)), frame, node)


def _map_trees(
    machine: Machine,
    mapped: _Mapped,
    trees: tuple[Value, ...],
    frame: Frame,
    node: nodes.Node,
    depth: int,
) -> Value:
    if isinstance(trees[0], Choice):
        options = trees[0].options
        results = [
            _map_trees(machine, mapped, (option, *trees[1:]), frame, node, depth)
            for option in options
        ]
        return join_all(tuple(results))
    opened = [take_apart(machine, tree, frame.level, frame, node) for tree in trees]
    first = opened[0]
    if first is None or not depth:
        is_open = isinstance(trees[0], Tree) and mapped.asked != NONE
        # What `is_leaf` stops at is a part of the first tree: another one that is a container here
        # may be so above that.
        leaves = tuple(
            tree if is_open and container is None else leaf_of(tree)
            for tree, container in zip(trees, opened, strict=True)
        )
        if isinstance(trees[0], Tree | Unknown):
            result = _call_for_all(machine, mapped, leaves, frame, node)
        else:
            result = mapped.call(machine, leaves, frame, node)
        if isinstance(trees[0], Tree):
            return _tree_of(result)
        # What is not known to be a leaf may be a container of leaves.
        return UNKNOWN if isinstance(trees[0], Unknown) else result
    stops = _is_leaf(machine, mapped.asked, trees[0], frame, node)
    if stops is not False:
        unknown = (UNKNOWN,) * len(trees)
        result = mapped.call(machine, trees if stops else unknown, frame, node)
        return result if stops else UNKNOWN
    if any(_is_other(machine, trees[0], tree) for tree in trees[1:]):
        note_stop(machine, frame, node)
    others = [
        container
        if container is not None and len(container.children) == len(first.children)
        else None
        for container in opened[1:]
    ]
    children: list[Value] = []
    for position, child in enumerate(first.children):
        row = (
            child,
            *(_child(other, position, tree) for other, tree in zip(others, trees[1:], strict=True)),
        )
        children.append(_map_trees(machine, mapped, row, frame, node, depth - 1))
    rest = first.rest
    if rest is not None:
        row = (rest, *(_rest(other, tree) for other, tree in zip(others, trees[1:], strict=True)))
        rest = _map_trees(machine, mapped, row, frame, node, depth - 1)
    return first.rebuild(tuple(children), rest)


def _is_other(machine: Machine, first: Value, tree: Value) -> bool:
    """Whether a tree differs from the container that a map goes through, as it is no such one or
    has other keys or another length.
    """
    if _container_kind(tree) not in ("", _container_kind(first)):
        return _container_kind(first) != ""
    match first, tree:
        case TupleValue(tuple(one)), TupleValue(tuple(other)):
            return len(one) != len(other)
        case HeapObject(kind="list"), HeapObject(kind="list"):
            a, b = content_of(machine, first), content_of(machine, tree)
            return (
                a.elements is not None
                and b.elements is not None
                and len(a.elements) != len(b.elements)
            )
        case HeapObject(kind="dict"), HeapObject(kind="dict"):
            entries = entries_of(machine, first), entries_of(machine, tree)
            keys = [{key for key, _ in each.known} for each in entries if each.rest is None]
            return len(keys) == 2 and keys[0] != keys[1]
        case _:
            return False


def _container_kind(value: Value) -> str:
    """The kind of one of Python's own containers, or of what is no container; empty otherwise."""
    match value:
        case TupleValue(cls=None):
            return "tuple"
        case HeapObject(kind="list" | "dict" as kind, cls=None):
            return kind
        case Constant(None):
            return "none"
        case Constant(bool() | int() | float()) | Array(origin=None):
            return "leaf"
        case _:
            return ""


def _call_for_all(
    machine: Machine, mapped: _Mapped, leaves: tuple[Value, ...], frame: Frame, node: nodes.Node
) -> Value:
    """The result for what stands for all leaves of a tree: its function is called over and over, as
    the element of a comprehension is computed.
    """
    scope = Scope("comprehension", frame.scope, frame.level, frame.module)
    scope.names, scope.repeats = frozenset(), True
    outer, frame.scope = frame.scope, scope
    try:
        result = mapped.call(machine, leaves, frame, node)
        asked = [hears(machine, scope) for hears in machine.moments.comprehension_iteration]
        return mapped.call(machine, leaves, frame, node) if any(asked) else result
    finally:
        frame.scope = outer


def _child(container: object, position: int, tree: Value) -> Value:
    children = getattr(container, "children", None)
    if children is not None:
        return children[position]
    return tree if isinstance(tree, Tree) else UNKNOWN


def _rest(container: object, tree: Value) -> Value:
    rest = getattr(container, "rest", None)
    if isinstance(rest, Value):
        return rest
    return tree if isinstance(tree, Tree) else UNKNOWN


def _tree_of(result: Value) -> Value:
    """A tree of unknown structure whose leaves are all like the result."""
    if isinstance(result, Array | Tree) and result.place in (Place.ABSTRACT, Place.CONCRETE):
        return Tree(result.place, result.level, result.origin)
    return UNKNOWN


def tree_leaves(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    """`tree.leaves(tree)`: a list."""
    tree = arguments.get(0, "tree") or UNKNOWN
    leaves, complete = _leaves(machine, tree, _asked_leaf(arguments, 1), frame, node)
    if not complete or isinstance(tree, Tree) or any(isinstance(x, Unknown) for x in leaves):
        return make_list(machine, None, join_all(tuple(leaves)), frame)
    return make_list(machine, tuple(leaves), UNKNOWN, frame)


def tree_leaves_with_path(
    machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    """`tree.leaves_with_path(tree)`: pairs of a key path and a leaf."""
    leaves = tree_leaves(machine, arguments, frame, node)
    items = iterate(machine, leaves, frame, node)
    path = TupleValue(None, UNKNOWN)
    if items.elements is None:
        return make_list(machine, None, TupleValue((path, items.rest)), frame)
    pairs = tuple(TupleValue((path, leaf)) for leaf in items.elements)
    return make_list(machine, pairs, UNKNOWN, frame)


def tree_flatten_with_path(
    machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    """`tree.flatten_with_path(tree)`: pairs, and a structure that is not followed."""
    return TupleValue((tree_leaves_with_path(machine, arguments, frame, node), UNKNOWN))


def tree_flatten(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    """`tree.flatten(tree)`: the leaves, and a structure that is not followed."""
    return TupleValue((tree_leaves(machine, arguments, frame, node), UNKNOWN))


def tree_unflatten(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    """`tree.unflatten(structure, leaves)`: a tree of the leaves."""
    leaves, _ = leaves_of(machine, arguments.get(1, "leaves") or UNKNOWN, frame, node)
    return _tree_of(join_all(tuple(leaves)))


def tree_reduce(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    """`tree.reduce(f, tree, initializer)`: the first value without one is a leaf, so that a tree
    that is one leaf calls nothing.
    """
    function = arguments.get(0, "function") or UNKNOWN
    tree = arguments.get(1, "tree") or UNKNOWN
    values, complete = _leaves(machine, tree, _asked_leaf(arguments, 3), frame, node)
    initial, guards, certain = arguments.get(2, "initializer"), frame.guards, MAX_REDUCED
    if not complete or isinstance(tree, Tree):
        certain = max(1, len(values) - 1)
        values = values * 2
    if initial is not None:
        values.insert(0, initial)
        certain += 1
    if not values:
        return UNKNOWN
    total = values[0]
    for number, value in enumerate(values[1:MAX_REDUCED], 1):
        if number == certain:
            frame.guards = (*guards, SEVERAL_LEAVES)
        total = machine.call(function, Arguments((total, value)), frame, node)
    frame.guards = guards
    return total


def ravel(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    """`ravel_pytree(tree)`: one flat array, and the function that undoes it."""
    leaves, _ = leaves_of(machine, arguments.get(0, "pytree") or UNKNOWN, frame, node)
    place, level = place_of_result(leaves, frame)
    flat = Array(type(UNKNOWN_ARRAY)((UNKNOWN_DIM,), None, False), place, level)
    return TupleValue((flat, UNKNOWN))


def register_node(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    """`register_pytree_node(cls, flatten, unflatten)`."""
    cls = _registered_class(machine, arguments)
    flatten = arguments.get(1, "flatten_func")
    unflatten = arguments.get(2, "unflatten_func")
    if cls is not None and flatten is not None and unflatten is not None:
        machine.states.change(cls, "pytree", True)
        machine.state_of(RegisteredClasses).functions[cls.uid] = (flatten, unflatten)
    return NONE


def register_keyed_node(
    machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    """`register_pytree_with_keys(cls, flatten_with_keys, unflatten, flatten)`: a pytree, its
    children not followed.
    """
    cls = _registered_class(machine, arguments)
    flatten = arguments.get(3, "flatten_func")
    unflatten = arguments.get(2, "unflatten_func")
    if cls is not None:
        machine.states.change(cls, "pytree", True)
        if flatten is not None and unflatten is not None:
            machine.state_of(RegisteredClasses).functions[cls.uid] = (flatten, unflatten)
    return NONE


def register_dataclass(
    machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    """`register_dataclass(cls, data_fields=..., meta_fields=...)` called as a function."""
    cls = _registered_class(machine, arguments)
    if cls is not None:
        machine.states.change(cls, "pytree", True)
        data, _ = _names_in(machine, arguments.get(1, "data_fields"), frame, node)
        static, is_seen = _names_in(machine, arguments.get(2, "meta_fields"), frame, node)
        fields = {field.name: field for field in cls.fields or ()}
        for name, field in fields.items():
            if name in static:
                fields[name] = field.as_static()
            elif not (is_seen or name in data):
                fields[name] = replace(field, unseen=True)
        machine.states.change(cls, "fields", tuple(fields.values()))
        return cls
    return UNKNOWN


def _names_in(
    machine: Machine, listed: Value | None, frame: Frame, node: nodes.Node
) -> tuple[set[object], bool]:
    """The names of fields that an argument lists, and whether they are all seen."""
    if listed is None:
        return set(), True
    leaves, complete = leaves_of(machine, listed, frame, node)
    names = {leaf.value for leaf in leaves if isinstance(leaf, Constant)}
    return names, complete and all(isinstance(leaf, Constant) for leaf in leaves)


def register_static(
    machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    """`register_static(cls)`: its instances are trees without leaves."""
    cls = _registered_class(machine, arguments)
    if cls is None:
        return UNKNOWN
    machine.state_of(RegisteredClasses).elsewhere.add(cls.uid)
    return cls


def _registered_class(machine: Machine, arguments: Arguments) -> ClassValue | None:
    """The class that a function registers as a pytree; one that is not known may be any."""
    cls = next(iter(arguments.all_values()), None)
    if isinstance(cls, ClassValue):
        return cls
    if not isinstance(cls, External):
        machine.state_of(RegisteredClasses).has_unknown = True
    return None


def register_elsewhere(machine: Machine, arguments: Arguments) -> None:
    """Notes the classes that a part of JAX gets of which nothing is declared: its tables may say
    what becomes of their instances.
    """
    handed = machine.state_of(RegisteredClasses).elsewhere
    handed.update(each.uid for each in arguments.all_values() if isinstance(each, ClassValue))


TREE_CALLS: dict[str, LibraryCall] = {
    "tree_util.tree_map": tree_map,
    "tree_util.tree_map_with_path": tree_map_with_path,
    "tree_util.tree_leaves": tree_leaves,
    "tree_util.tree_flatten": tree_flatten,
    "tree_util.tree_leaves_with_path": tree_leaves_with_path,
    "tree_util.tree_flatten_with_path": tree_flatten_with_path,
    "tree.leaves_with_path": tree_leaves_with_path,
    "tree.flatten_with_path": tree_flatten_with_path,
    "tree_util.tree_unflatten": tree_unflatten,
    "tree_util.tree_reduce": tree_reduce,
    "flatten_util.ravel_pytree": ravel,
    "tree_util.register_pytree_node": register_node,
    "tree_util.register_pytree_with_keys": register_keyed_node,
    "tree_util.register_dataclass": register_dataclass,
    "tree_util.register_static": register_static,
    "tree.map": tree_map,
    "tree.map_with_path": tree_map_with_path,
    "tree.leaves": tree_leaves,
    "tree.flatten": tree_flatten,
    "tree.unflatten": tree_unflatten,
    "tree.reduce": tree_reduce,
}
"""By the declared name of the function."""
