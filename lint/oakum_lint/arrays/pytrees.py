"""Pytrees: the children of a container, and the same container around other children."""

from collections.abc import Callable, Iterable

from oakum.values.records import dataclass, field
from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.callables import BoundMethod, ClassValue, Wrapper
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.joins import join_all
from oakum_lint.domain.look_ups import class_attribute
from oakum_lint.domain.store import CONTENT
from oakum_lint.domain.values import (
    UNKNOWN,
    Array,
    Choice,
    Constant,
    Entries,
    HeapObject,
    Items,
    Tree,
    TupleValue,
    Unknown,
    Value,
    is_jax_array,
)
from oakum_lint.syntax import nodes

MAX_TREE_DEPTH = 8
Leaf = Callable[[Value], Value]


@dataclass(slots=True)
class RegisteredClasses:
    """Classes that were made pytrees by their functions."""

    functions: dict[int, tuple[Value, Value]] = field(
        default_factory=dict[int, tuple[Value, Value]]
    )
    """What flattens and unflattens instances, by the class's identity."""
    elsewhere: set[int] = field(default_factory=set[int])
    """The identities of classes that another part of JAX was handed: `register_vmappable`."""
    has_unknown: bool = False
    """Whether a class was registered of which it is not known which one it is."""


@dataclass(frozen=True, slots=True)
class Container:
    """A container taken apart. `rest` stands for all children where their number is not known;
    `metadata` is what is a part of the structure, by the names of fields, or by what the items of a
    tuple or dict are found by.
    """

    children: tuple[Value, ...]
    rest: Value | None
    rebuild: Callable[[tuple[Value, ...], Value | None], Value]
    metadata: tuple[tuple[str, Value], ...] = ()


def take_apart(
    machine: Machine, value: Value, level: int, frame: Frame, node: nodes.Node
) -> Container | None:
    """Returns the children of a container and how to build one around new ones; None for a leaf.

    A rebuilt container is a new object of `level`, as unflattening makes one.
    """
    match value:
        case Constant(None):
            return Container((), None, lambda children, rest: value)
        case TupleValue(elements, rest, cls, length):
            return Container(
                elements or (),
                None if elements is not None else rest,
                lambda children, rest: (
                    TupleValue(children, UNKNOWN, cls)
                    if rest is None
                    else TupleValue(None, rest, cls, length)
                ),
            )
        case HeapObject(kind="list" | "deque" as kind):
            content = machine.read(value, CONTENT)
            items = content if isinstance(content, Items) else Items(None)

            def rebuild_list(children: tuple[Value, ...], rest: Value | None) -> Value:
                made = HeapObject(kind, level)
                new = Items(children) if rest is None else Items(None, rest, items.length)
                machine.write(made, CONTENT, new)
                return made

            known = items.elements
            return Container(known or (), None if known is not None else items.rest, rebuild_list)
        case HeapObject(kind="dict"):
            content = machine.read(value, CONTENT)
            entries = content if isinstance(content, Entries) else Entries((), UNKNOWN)
            ordered = _in_order(entries.known)
            keys = tuple(key for key, _ in ordered)

            def rebuild_dict(children: tuple[Value, ...], rest: Value | None) -> Value:
                made = HeapObject("dict", level)
                rebuilt = tuple(zip(keys, children, strict=True))
                machine.write(made, CONTENT, Entries(rebuilt, rest))
                return made

            return Container(tuple(item for _, item in ordered), entries.rest, rebuild_dict)
        case HeapObject(kind="instance", cls=ClassValue() as cls) if cls.pytree:
            return _take_instance_apart(machine, value, cls, level, frame, node)
        case _:
            return None


def _in_order(known: tuple[tuple[object, Value], ...]) -> tuple[tuple[object, Value], ...]:
    """The entries of a dict in the order in which JAX flattens them: that of their keys, which have
    to be of one type.
    """
    texts = [(key, item) for key, item in known if isinstance(key, str)]
    numbers = [(key, item) for key, item in known if isinstance(key, int | float)]
    if len(texts) == len(known):
        return tuple(sorted(texts, key=lambda entry: entry[0]))
    if len(numbers) == len(known):
        return tuple(sorted(numbers, key=lambda entry: entry[0]))
    return known


def _take_instance_apart(
    machine: Machine,
    value: HeapObject,
    cls: ClassValue,
    level: int,
    frame: Frame,
    node: nodes.Node,
) -> Container:
    flatten, unflatten = registration(machine, cls)
    if flatten is not None and unflatten is not None:
        return _take_registered_apart(machine, value, flatten, unflatten, level, frame, node)
    fields = cls.fields or ()
    held = [(f, v) for f in fields if (v := machine.read(value, f.name)) is not None]
    dynamic = [(field.name, item) for field, item in held if not field.static]
    static = [(field.name, item) for field, item in held if field.static]
    unseen = {field.name for field, _ in held if field.unseen}

    def rebuild(children: tuple[Value, ...], rest: Value | None) -> Value:
        made = HeapObject("instance", level, cls)
        for (name, _), child in zip(dynamic, children, strict=True):
            machine.write(made, name, UNKNOWN if name in unseen else child)
        for name, item in static:
            machine.write(made, name, item)
        return made

    children = tuple(item for _, item in dynamic)
    return Container(children, None, rebuild, tuple(static))


def registration(machine: Machine, cls: ClassValue) -> tuple[Value | None, Value | None]:
    """The flatten and unflatten functions that a class was registered with."""
    found = machine.state_of(RegisteredClasses).functions.get(cls.uid)
    if found is not None:
        return found
    flatten = class_attribute(machine, cls, "tree_flatten")
    unflatten = class_attribute(machine, cls, "tree_unflatten")
    if isinstance(flatten, Unknown | None) or isinstance(unflatten, Unknown | None):
        return None, None
    if isinstance(unflatten, Wrapper):
        unflatten = BoundMethod(unflatten.function, cls)
    return flatten, unflatten


def _take_registered_apart(
    machine: Machine,
    value: HeapObject,
    flatten: Value,
    unflatten: Value,
    level: int,
    frame: Frame,
    node: nodes.Node,
) -> Container:
    result = machine.call(flatten, Arguments((value,)), frame, node)
    parts = result.elements if isinstance(result, TupleValue) else None
    if parts is None or len(parts) != 2:
        return Container((), None, lambda children, rest: UNKNOWN)
    children, auxiliary = parts
    if isinstance(children, HeapObject) and children.kind == "list":
        content = machine.read(children, CONTENT)
        children = (
            TupleValue(content.elements, content.rest) if isinstance(content, Items) else UNKNOWN
        )
    elements = children.elements if isinstance(children, TupleValue) else None

    def rebuild(children: tuple[Value, ...], rest: Value | None) -> Value:
        if rest is not None:
            return _with_leaves_unknown(machine, value, rest, level)
        return machine.call(unflatten, Arguments((auxiliary, TupleValue(children))), frame, node)

    rest = None if elements is not None else UNKNOWN
    return Container(elements or (), rest, rebuild, _items(machine, auxiliary))


def _with_leaves_unknown(machine: Machine, value: HeapObject, leaf: Value, level: int) -> Value:
    """An object like one of which it is not known what its flatten function returns: arrays of JAX
    are leaves, as nothing without a hash is auxiliary data; of the rest nothing is known.
    """
    made = HeapObject("instance", level, value.cls)
    for name, held in machine.store.held_by(value):
        is_leaf = isinstance(held, Array) and is_jax_array(held)
        machine.write(made, name, leaf if is_leaf else UNKNOWN)
    return made


def _items(machine: Machine, auxiliary: Value) -> tuple[tuple[str, Value], ...]:
    """The items of a tuple or dict by their places; else the value itself, which has none."""
    match auxiliary:
        case TupleValue(elements) if elements is not None:
            return tuple((str(place), item) for place, item in enumerate(elements))
        case HeapObject(kind="dict"):
            content = machine.read(auxiliary, CONTENT)
            if isinstance(content, Entries) and content.rest is None:
                return tuple((str(key), item) for key, item in content.known)
        case _:
            pass
    return (("", auxiliary),)


def map_leaves(
    machine: Machine,
    value: Value,
    leaf: Leaf,
    level: int,
    frame: Frame,
    node: nodes.Node,
    depth: int = MAX_TREE_DEPTH,
) -> Value:
    """The same structure with every leaf mapped."""
    if isinstance(value, Choice):
        options = value.options
        return join_all(
            tuple(map_leaves(machine, o, leaf, level, frame, node, depth) for o in options)
        )
    if not machine.spend(frame, node):
        return UNKNOWN
    container = take_apart(machine, value, level, frame, node) if depth else None
    if container is None:
        return leaf(value)
    children = tuple(
        map_leaves(machine, child, leaf, level, frame, node, depth - 1)
        for child in container.children
    )
    rest = container.rest
    if rest is not None:
        rest = map_leaves(machine, rest, leaf, level, frame, node, depth - 1)
    return container.rebuild(children, rest)


def leaves_of(
    machine: Machine, value: Value, frame: Frame, node: nodes.Node, depth: int = MAX_TREE_DEPTH
) -> tuple[list[Value], bool]:
    """The leaves of a tree in order, and whether they are all that there are."""
    if not machine.spend(frame, node):
        return [], False
    container = take_apart(machine, value, frame.level, frame, node) if depth else None
    if container is None:
        return [value], depth > 0
    found: list[Value] = []
    complete = container.rest is None
    for child in (*container.children, *(() if container.rest is None else (container.rest,))):
        inner, whole = leaves_of(machine, child, frame, node, depth - 1)
        found.extend(inner)
        complete = complete and whole
    return found, complete


def handing_through(
    machine: Machine,
    leaf: Leaf,
    handed: Iterable[tuple[Value, Value]],
    frame: Frame,
    node: nodes.Node,
) -> Leaf:
    """Maps leaves of a result by `leaf`, but for those of the function's arguments: they come out
    as they went in. `handed` pairs what the function got with what the caller passed for it.
    """
    originals: dict[int, tuple[Value, Value]] = {}
    for lifted, value in handed:
        inner, outer = (leaves_of(machine, each, frame, node)[0] for each in (lifted, value))
        if len(inner) == len(outer):
            pairs = zip(inner, outer, strict=True)
            originals |= {id(pair[0]): pair for pair in pairs if isinstance(pair[0], Array | Tree)}

    def mapped(value: Value) -> Value:
        found = originals.get(id(value))
        return leaf(value) if found is None else found[1]

    return mapped if originals else leaf
