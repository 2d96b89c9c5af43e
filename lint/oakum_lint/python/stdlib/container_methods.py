"""Methods of lists, dicts, sets, deques and iterators."""

from collections.abc import Callable

from oakum_lint.domain import events
from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.doubts import note_stop
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.joins import element_of, join, join_all
from oakum_lint.domain.look_ups import content_of, entries_of
from oakum_lint.domain.moments import advance, store_in, write_to
from oakum_lint.domain.store import CONTENT
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
    Place,
    TupleValue,
    Value,
)
from oakum_lint.python.objects.containers import (
    EMPTY,
    NO_ENTRIES,
    add_entries,
    constant_key,
    copy_of_list,
    dict_keys,
    extend_content,
    iterate,
    kept_count,
    key_value,
    known_elements,
    look_up,
    make_dict,
    merged,
    position_in,
    set_entry,
)
from oakum_lint.python.objects.hashing import check_hash
from oakum_lint.syntax import nodes

ContainerMethod = Callable[[Machine, HeapObject, Arguments, Frame, nodes.Node], Value]


def _append(
    machine: Machine, owner: HeapObject, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    value = arguments.get(0) or UNKNOWN
    source = arguments.place(0, "", node) if isinstance(node, nodes.Call) else None
    store_in(machine, owner, value, "append", frame, node, source)
    extend_content(machine, owner, Items((value,)))
    return NONE


def _add(
    machine: Machine, owner: HeapObject, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    value = arguments.get(0) or UNKNOWN
    if not check_hash(machine, value, frame, arguments.place(0, "", node), "set"):
        store_in(machine, owner, value, "add", frame, node)
    extend_content(machine, owner, Items((value,)))
    return NONE


def _insert(
    machine: Machine, owner: HeapObject, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    value = arguments.get(1) or UNKNOWN
    store_in(machine, owner, value, "insert", frame, node)
    content = content_of(machine, owner)
    machine.write(owner, CONTENT, Items(None, join_all((value, *known_elements(content)))))
    return NONE


def _append_left(
    machine: Machine, owner: HeapObject, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    value = arguments.get(0) or UNKNOWN
    store_in(machine, owner, value, "appendleft", frame, node)
    content = content_of(machine, owner)
    if content.elements is not None:
        elements = (value, *content.elements)
        kept = kept_count(machine, owner, len(elements))
        if kept is not None:
            machine.write(owner, CONTENT, Items(elements[:kept]))
            return NONE
    machine.write(owner, CONTENT, Items(None, join_all((value, *known_elements(content)))))
    return NONE


def _extend(
    machine: Machine, owner: HeapObject, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    items = iterate(machine, arguments.get(0) or UNKNOWN, frame, node)
    stored = TupleValue(items.elements, items.rest)
    store_in(machine, owner, stored, "extend", frame, node)
    extend_content(machine, owner, items)
    return NONE


def _pop(
    machine: Machine, owner: HeapObject, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    return _taken_out(machine, owner, arguments.get(0) or Constant(-1), frame, node)


def _pop_left(
    machine: Machine, owner: HeapObject, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    return _taken_out(machine, owner, Constant(0), frame, node)


def _pop_any(
    machine: Machine, owner: HeapObject, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    elements = content_of(machine, owner).elements
    is_first = elements is not None and len(elements) <= 1
    return _taken_out(machine, owner, Constant(0) if is_first else UNKNOWN, frame, node)


def _taken_out(
    machine: Machine, owner: HeapObject, index: Value, frame: Frame, node: nodes.Node
) -> Value:
    """Takes the element at an index out of a list, deque or set."""
    content = content_of(machine, owner)
    elements, at = content.elements, index.value if isinstance(index, Constant) else None
    if elements is not None and isinstance(at, int):
        if -len(elements) <= at < len(elements):
            left = [*elements]
            taken = left.pop(at)
            machine.write(owner, CONTENT, Items(tuple(left)))
            return taken
        note_stop(machine, frame, node)
    machine.write(owner, CONTENT, Items(None, element_of(content)))
    return element_of(content)


def _pop_entry(
    machine: Machine, owner: HeapObject, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    entries, default = entries_of(machine, owner), arguments.get(1)
    key = constant_key(arguments.get(0) or UNKNOWN)
    if key is None:
        # Any of them, or none.
        values = () if default is None else (default,)
        if entries.known:
            machine.write(owner, CONTENT, Entries((), element_of(entries)))
        return join_all((element_of(entries), *values))
    found = entries.get(key.value)
    if found is not None:
        left = tuple(entry for entry in entries.known if entry[0] != key.value)
        machine.write(owner, CONTENT, Entries(left, entries.rest))
        return found
    if default is None and entries.rest is None:
        note_stop(machine, frame, node)
    return default or UNKNOWN if entries.rest is None else UNKNOWN


def _clear(
    machine: Machine, owner: HeapObject, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    machine.write(owner, CONTENT, NO_ENTRIES if owner.kind == "dict" else EMPTY)
    return NONE


def _copy(
    machine: Machine, owner: HeapObject, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    if owner.kind == "dict":
        return make_dict(machine, entries_of(machine, owner), frame)
    if owner.label == FROZEN:
        return owner
    return copy_of_list(machine, owner, frame)


def _compared(
    machine: Machine,
    owner: HeapObject,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
    how: str,
) -> Value:
    """`list.index`, `count` and `remove` compare, and ask each comparison for its truth."""
    wanted = arguments.get(0) or UNKNOWN
    content = content_of(machine, owner)
    if content.elements == ():
        if how != "list.count":
            note_stop(machine, frame, node)
            return UNKNOWN
        return Constant(0)
    for value in (wanted, *(content.elements or (content.rest,))):
        if isinstance(value, Array) and value.place is Place.ABSTRACT:
            machine.emit(
                events.BooleanUse, frame, node, value, arguments.place(0, "", node), construct=how
            )
            return UNKNOWN
    if how in ("list.index", "list.remove") and _is_none_of(wanted, content.elements):
        note_stop(machine, frame, node)
        return UNKNOWN
    if how == "list.index" and len(arguments.positional) == 1:
        return position_in(content.elements, wanted)
    if how != "list.remove":
        return INT
    machine.write(owner, CONTENT, _without(content, wanted))
    return NONE


def _is_none_of(wanted: Value, elements: tuple[Value, ...] | None) -> bool:
    """Whether a text or number is none of those that a list holds."""
    return (
        isinstance(wanted, Constant)
        and elements is not None
        and all(isinstance(each, Constant) and each.value != wanted.value for each in elements)
    )


def _without(content: Items, removed: Value) -> Items:
    """Returns the content of a list after `remove`, which takes off the first equal element."""
    elements = content.elements or ()
    for position, element in enumerate(elements):
        if element is removed:
            return Items(elements[:position] + elements[position + 1 :])
    return Items(()) if len(elements) == 1 else Items(None, element_of(content))


def _sort(
    machine: Machine, owner: HeapObject, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    content = content_of(machine, owner)
    key = arguments.get(-1, "key")
    element = element_of(content)
    if key is not None and key != NONE:
        element = machine.call(key, Arguments((element,)), frame, node)
    several = content.elements is None or len(content.elements) > 1
    if several and isinstance(element, Array) and element.place is Place.ABSTRACT:
        machine.emit(events.BooleanUse, frame, node, element, construct="list.sort")
    machine.write(owner, CONTENT, Items(None, element_of(content)) if several else content)
    return NONE


def _dict_get(
    machine: Machine, owner: HeapObject, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    key = arguments.get(0) or UNKNOWN
    if check_hash(machine, key, frame, arguments.place(0, "", node), "dict key"):
        return UNKNOWN
    default = arguments.get(1) or NONE
    known = constant_key(key)
    entries = look_up(machine, owner, known, frame, node)
    if known is not None:
        found = entries.get(known.value)
        if found is not None:
            return found
        return default if entries.rest is None else UNKNOWN
    return UNKNOWN


def _get_item(
    machine: Machine, owner: HeapObject, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    key = constant_key(arguments.get(0) or UNKNOWN)
    entries = look_up(machine, owner, key, frame, node)
    found = None if key is None else entries.get(key.value)
    return entries.rest or UNKNOWN if found is None else found


def _set_item(
    machine: Machine, owner: HeapObject, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    value = arguments.get(1) or UNKNOWN
    store_in(machine, owner, value, "=", frame, node)
    set_entry(machine, owner, arguments.get(0) or UNKNOWN, value)
    return NONE


def _setdefault(
    machine: Machine, owner: HeapObject, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    key = arguments.get(0) or UNKNOWN
    value = arguments.get(1) or NONE
    entries = entries_of(machine, owner)
    known = constant_key(key)
    found = entries.get(known.value) if known is not None else None
    if found is not None:
        return found
    store_in(machine, owner, value, "setdefault", frame, node)
    set_entry(machine, owner, key, value)
    return value if entries.rest is None else join(value, entries.rest)


def _update(
    machine: Machine, owner: HeapObject, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    new = Entries(tuple(arguments.keywords.items()), arguments.more_keywords)
    source = arguments.get(0)
    if owner.kind == "set":
        return _extend(machine, owner, arguments, frame, node)
    if source is not None:
        new = merged(entries_of(machine, source), new)
    store_in(machine, owner, TupleValue(None, element_of(new)), "update", frame, node)
    add_entries(machine, owner, new)
    return NONE


def _items(
    machine: Machine, owner: HeapObject, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    entries = entries_of(machine, owner)
    if entries.rest is None:
        pairs = tuple(TupleValue((key_value(key), value)) for key, value in entries.known)
        return TupleValue(pairs)
    return TupleValue(None, TupleValue((UNKNOWN, element_of(entries))))


def _keys(
    machine: Machine, owner: HeapObject, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    keys = dict_keys(entries_of(machine, owner))
    return TupleValue(keys.elements, keys.rest)


def _values(
    machine: Machine, owner: HeapObject, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    entries = entries_of(machine, owner)
    if entries.rest is None:
        return TupleValue(tuple(value for _, value in entries.known))
    return TupleValue(None, element_of(entries))


def _send(
    machine: Machine, owner: HeapObject, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    value = arguments.get(0) or UNKNOWN
    store_in(machine, owner, value, "send", frame, node)
    advance(machine, owner, "send", frame, node)
    return element_of(content_of(machine, owner))


def _comparing(how: str) -> ContainerMethod:
    def method(
        machine: Machine, owner: HeapObject, arguments: Arguments, frame: Frame, node: nodes.Node
    ) -> Value:
        return _compared(machine, owner, arguments, frame, node, how)

    return method


METHODS: dict[tuple[str, str], ContainerMethod] = {
    **{(kind, "append"): _append for kind in ("list", "deque")},
    ("deque", "appendleft"): _append_left,
    **{(kind, name): _extend for kind in ("list", "deque") for name in ("extend", "__init__")},
    **{(kind, "pop"): _pop for kind in ("list", "deque")},
    ("deque", "popleft"): _pop_left,
    ("set", "pop"): _pop_any,
    ("dict", "pop"): _pop_entry,
    **{(kind, "clear"): _clear for kind in ("list", "deque", "dict", "set")},
    **{(kind, "copy"): _copy for kind in ("list", "deque", "dict", "set")},
    ("list", "insert"): _insert,
    ("list", "sort"): _sort,
    ("list", "index"): _comparing("list.index"),
    ("list", "count"): _comparing("list.count"),
    ("list", "remove"): _comparing("list.remove"),
    ("set", "add"): _add,
    ("set", "update"): _update,
    ("dict", "get"): _dict_get,
    ("dict", "setdefault"): _setdefault,
    ("dict", "update"): _update,
    ("dict", "__init__"): _update,
    ("dict", "__getitem__"): _get_item,
    ("dict", "__setitem__"): _set_item,
    ("dict", "items"): _items,
    ("dict", "keys"): _keys,
    ("dict", "values"): _values,
    **{(kind, "send"): _send for kind in ("iterator", "generator")},
}

MUTATORS = frozenset(
    {
        *("reverse", "rotate", "extendleft", "popitem", "move_to_end"),
        *("discard", "remove", "difference_update", "intersection_update"),
        "symmetric_difference_update",
    }
)


def call_method(
    machine: Machine,
    owner: HeapObject,
    name: str,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
) -> Value:
    """Calls a method of a container."""
    if owner.kind in ("iterator", "generator") and name == "__next__":
        advance(machine, owner, "next", frame, node)
        return element_of(content_of(machine, owner))
    method = METHODS.get((owner.kind, name))
    if method is not None:
        write_to(machine, (owner, CONTENT), frame, node)
        return method(machine, owner, arguments, frame, node)
    if name in MUTATORS:
        if owner.kind == "dict":
            machine.write(owner, CONTENT, Entries((), element_of(entries_of(machine, owner))))
        else:
            machine.write(owner, CONTENT, Items(None, element_of(content_of(machine, owner))))
        return UNKNOWN
    return UNKNOWN
