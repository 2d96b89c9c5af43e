"""Builtins that make or measure collections: `list`, `dict`, `len`, `collections.namedtuple` and
their kin.
"""

from typing import Literal

from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.callables import ClassValue, FieldValue, Scope
from oakum_lint.domain.doubts import note_stop
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.look_ups import container_in, entries_of
from oakum_lint.domain.parts import LibraryCall
from oakum_lint.domain.values import (
    FROZEN,
    INT,
    NONE,
    UNKNOWN,
    Array,
    Constant,
    Entries,
    HeapObject,
    Items,
    TupleValue,
    Value,
)
from oakum_lint.python.expressions.failures import note_lacking
from oakum_lint.python.expressions.operators import call_special
from oakum_lint.python.objects.containers import (
    FACTORY,
    NO_ENTRIES,
    extend_content,
    iterate,
    length,
    make_dict,
    make_list,
    merged,
)
from oakum_lint.python.objects.hashing import check_hash
from oakum_lint.syntax import nodes


def _collect(kind: Literal["tuple", "list", "set", "frozenset", "deque"]) -> LibraryCall:
    def collect(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
        value = arguments.get(0)
        items = Items(()) if value is None else iterate(machine, value, frame, node)
        if kind in ("set", "frozenset"):
            place = arguments.place(0, "", node)
            for element in items.elements if items.elements is not None else (items.rest,):
                if check_hash(machine, element, frame, place, "set"):
                    break
        if kind == "tuple":
            return TupleValue(items.elements, items.rest, length=items.length)
        if kind == "deque":
            made = make_list(machine, (), UNKNOWN, frame, kind)
            machine.write(made, "maxlen", arguments.get(1, "maxlen") or NONE)
            extend_content(machine, made, items)
            return made
        if kind == "frozenset":
            made = make_list(machine, items.elements, items.rest, frame, "set")
            made.label = FROZEN
            return made
        return make_list(machine, items.elements, items.rest, frame, kind, items.length)

    return collect


def _dict(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    entries = Entries(tuple(arguments.keywords.items()), arguments.more_keywords)
    source = arguments.get(0)
    if source is not None:
        inner = container_in(machine, source) or source
        if isinstance(inner, HeapObject) and inner.kind == "dict":
            return make_dict(machine, merged(entries_of(machine, source), entries), frame)
        items = iterate(machine, source, frame, node)
        known: list[tuple[object, Value]] = []
        for pair in items.elements if items.elements is not None else (items.rest,):
            parts = pair.elements if isinstance(pair, TupleValue) else None
            if parts and check_hash(
                machine, parts[0], frame, arguments.place(0, "", node), "dict key"
            ):
                return UNKNOWN
        for pair in items.elements or ():
            parts = pair.elements if isinstance(pair, TupleValue) else None
            if parts is None or len(parts) != 2 or not isinstance(parts[0], Constant):
                return make_dict(machine, Entries((), UNKNOWN), frame)
            known.append((parts[0].value, parts[1]))
        rest = None if items.elements is not None else UNKNOWN
        return make_dict(machine, merged(Entries(tuple(known), rest), entries), frame)
    return make_dict(machine, entries, frame)


def _defaultdict(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    """`defaultdict(factory, source)`: a dict that has its factory make what is not in it."""
    factory, source = arguments.get(0), arguments.get(1)
    entries = NO_ENTRIES if source is None else entries_of(machine, source)
    entries = merged(entries, Entries(tuple(arguments.keywords.items()), arguments.more_keywords))
    made = make_dict(machine, entries, frame)
    if factory is not None and factory != NONE:
        machine.write(made, FACTORY, factory)
    return made


def _counter(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    return make_dict(machine, Entries((), INT), frame)


def _len(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    value = arguments.get(0) or UNKNOWN
    if isinstance(value, HeapObject) and value.kind == "instance":
        found = call_special(machine, value, "__len__", (), node, frame)
        inner = container_in(machine, value) if found is None else None
        if inner is None and found is None:
            note_lacking(machine, value, ("__len__",), frame, node)
        if inner is None:
            return INT if found is None else found
        value = inner
    note_lacking(machine, value, ("__len__",), frame, node)
    if isinstance(value, Array) and value.aval.shape == ():
        note_stop(machine, frame, node)
    return length(machine, value)


def _named_tuple(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    """`collections.namedtuple("Point", "x y", defaults=(0.0,))`."""
    name, stated = arguments.get(0, "typename"), arguments.get(1, "field_names")
    names: list[str] = []
    if isinstance(stated, Constant) and isinstance(stated.value, str):
        names = stated.value.replace(",", " ").split()
    elif stated is not None:
        for item in iterate(machine, stated, frame, node).elements or ():
            part = item.elements[0] if isinstance(item, TupleValue) and item.elements else item
            if isinstance(part, Constant) and isinstance(part.value, str):
                names.append(part.value)
    if not isinstance(name, Constant) or not names:
        return UNKNOWN
    body = Scope("class", frame.scope, frame.level, frame.module)
    cls = ClassValue(str(name.value), None, body, frame.unit, frame.module, (), frame.level)
    cls.conventions = frozenset({"namedtuple"})
    cls.pytree = True
    options = arguments.more_keywords
    defaults = _last_defaults(
        machine, arguments.keywords.get("defaults", options), len(names), frame, node
    )
    cls.fields = tuple(
        FieldValue(field, default, False) for field, default in zip(names, defaults, strict=True)
    )
    return cls


def _last_defaults(
    machine: Machine, stated: Value | None, count: int, frame: Frame, node: nodes.Node
) -> list[Value | None]:
    """The defaults of the fields of a `namedtuple`, which belong to the last of them."""
    if stated is None or stated == NONE:
        return [None] * count
    elements = iterate(machine, stated, frame, node).elements
    if elements is None or len(elements) > count:
        return [UNKNOWN] * count
    return [*[None] * (count - len(elements)), *elements]


COLLECTION_CALLS: dict[str, LibraryCall] = {
    "builtins.list": _collect("list"),
    "builtins.tuple": _collect("tuple"),
    "builtins.set": _collect("set"),
    "builtins.frozenset": _collect("frozenset"),
    "builtins.dict": _dict,
    "builtins.len": _len,
    "collections.deque": _collect("deque"),
    "collections.Counter": _counter,
    "collections.OrderedDict": _dict,
    "collections.defaultdict": _defaultdict,
    "collections.namedtuple": _named_tuple,
    "typing.NamedTuple": _named_tuple,
}
