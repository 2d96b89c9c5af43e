"""Python's containers: content, iteration, and the methods of lists, dicts, sets and strings."""

from typing import cast

from oakum.errors import ShapeError
from oakum.values.records import replace
from oakum_lint.arrays.array_results import UNKNOWN_ARRAY, place_of_result
from oakum_lint.arrays.declared_elements import declared_element
from oakum_lint.arrays.device_lists import each_device
from oakum_lint.arrays.enums import iterate_members
from oakum_lint.arrays.shape_errors import report
from oakum_lint.domain.facets import anonymous, apart, of_row
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.joins import element_of, join, join_all
from oakum_lint.domain.look_ups import container_in, content_of, entries_of
from oakum_lint.domain.moments import advance
from oakum_lint.domain.store import CONTENT
from oakum_lint.domain.values import (
    INT,
    NONE,
    STR,
    UNKNOWN,
    Array,
    Choice,
    Constant,
    Device,
    Entries,
    HeapObject,
    Items,
    ObjectKind,
    Scalar,
    Tree,
    TupleValue,
    Unknown,
    Value,
    is_jax_array,
)
from oakum_lint.python.expressions.failures import ITERATION, note_lacking
from oakum_lint.syntax import nodes

EMPTY = Items(())
NO_ENTRIES = Entries(())
HOST = "__self__"
"""The name under which the dict of an object's attributes keeps the object."""
FACTORY = "__missing__"
"""The name under which a dict keeps what makes the values of keys that it has not."""
MAX_ELEMENTS = 64
"""So many elements of one container are distinguished."""


def merged(first: Entries, second: Entries) -> Entries:
    """The entries of `{**first, **second}`."""
    known = dict(first.known)
    if second.rest is not None:
        # Any key of the first may be overwritten.
        known = {key: join(value, second.rest) for key, value in known.items()}
    known.update(second.known)
    rest = [value for value in (first.rest, second.rest) if value is not None]
    return Entries(tuple(known.items()), join_all(tuple(rest)) if rest else None)


def make_list(
    machine: Machine,
    elements: tuple[Value, ...] | None,
    rest: Value,
    frame: Frame,
    kind: ObjectKind = "list",
    length: int | None = None,
    first: tuple[Value, ...] = (),
) -> HeapObject:
    """Makes a list (set, deque, iterator) in this frame. Where the elements are not distinguished,
    `length` is how many there are, and `first` what they begin with.
    """
    made = HeapObject(kind, frame.level)
    if kind == "set" and elements is not None:
        elements = distinct(elements)
    if elements is not None and len(elements) > MAX_ELEMENTS:
        rest, length = join_all(elements), len(elements)
        elements = None
    # Equal elements of a set may be one.
    length = None if elements is not None or kind == "set" else length
    machine.write(made, CONTENT, Items(elements, rest, length, () if elements else first))
    return made


def look_up(
    machine: Machine, owner: HeapObject, key: Constant | None, frame: Frame, node: nodes.Node
) -> Entries:
    """Returns the entries of a dict where only the value under a key matters; None: any of them."""
    if key is not None and owner.level == 0 and frame.trace is not None:
        for hears in machine.moments.key_read:
            hears(machine, owner, key, frame, node)
    return entries_of(machine, owner, key)


def known_elements(content: Items) -> tuple[Value, ...]:
    """One value for all that the content holds; nothing where it holds nothing."""
    return (element_of(content),) if content.elements != () else ()


def extend_content(machine: Machine, owner: HeapObject, new: Items) -> None:
    """Adds elements behind those of a list, deque or generator; to a set, wherever it puts them."""
    old = content_of(machine, owner)
    if old.elements is not None and new.elements is not None and owner.kind != "set":
        elements = old.elements + new.elements
        kept = kept_count(machine, owner, len(elements))
        if kept is not None:
            machine.write(owner, CONTENT, Items(elements[len(elements) - kept :]))
            return
    joined = join_all((*known_elements(old), *known_elements(new)))
    machine.write(owner, CONTENT, Items(None, joined))


def kept_count(machine: Machine, owner: HeapObject, count: int) -> int | None:
    """How many of so many elements a container keeps, which is less for the `maxlen` of a deque;
    None where that is not known, or where they are too many to be followed one by one.
    """
    limit = machine.read(owner, "maxlen") if owner.kind == "deque" else None
    if limit is not None and limit != NONE:
        if not isinstance(limit, Constant) or not isinstance(limit.value, int):
            return None
        count = min(count, limit.value)
    return count if count <= MAX_ELEMENTS else None


def copy_of_list(machine: Machine, owner: HeapObject, frame: Frame) -> HeapObject:
    """A new list, set or deque with the elements of one."""
    content = content_of(machine, owner)
    made = make_list(machine, content.elements, content.rest, frame, owner.kind)
    limit = machine.read(owner, "maxlen") if owner.kind == "deque" else None
    if limit is not None:
        machine.write(made, "maxlen", limit)
    return made


def make_dict(machine: Machine, entries: Entries, frame: Frame) -> HeapObject:
    """A new dict made in this frame."""
    made = HeapObject("dict", frame.level)
    machine.write(made, CONTENT, entries)
    return made


def one_of_several(machine: Machine, value: Value, since: int) -> Value:
    """What stands for all that the iterations of a comprehension, or the calls of `map`, have made:
    two of them are the same only in what is older, by an identity that was taken before.
    """
    made: list[HeapObject] = []
    done: set[HeapObject] = set()
    value = _apart(value, since, made)
    while made:
        owner = made.pop()
        if owner not in done and owner.uid >= since:
            done.add(owner)
            for name, held in [*machine.store.held_by(owner)]:
                changed = _apart(held, since, made)
                if changed is not held:
                    machine.write(owner, name, changed)
    return value


def _apart(value: Value, since: int, made: list[HeapObject]) -> Value:
    """A value, or the content of an object, with the arrays in it set apart; the objects in it are
    noted.
    """
    match value:
        case Array():
            return apart(value, since)
        case HeapObject():
            made.append(value)
            return value
        case TupleValue(elements) | Items(elements) if elements is not None:
            parts = tuple(_apart(each, since, made) for each in elements)
            same = all(part is each for part, each in zip(parts, elements, strict=True))
            return value if same else replace(value, elements=parts)
        case Entries(known=known):
            pairs = tuple((name, _apart(each, since, made)) for name, each in known)
            return replace(value, known=pairs)
        case _:
            return value


def position_in(elements: tuple[Value, ...] | None, wanted: Value) -> Value:
    """Where a constant comes first in a sequence; some number where that is not known."""
    if not isinstance(wanted, Constant):
        return INT
    for position, element in enumerate(elements or ()):
        if not isinstance(element, Constant):
            break
        if element.value == wanted.value:
            return Constant(position)
    return INT


def texts_in(machine: Machine, value: Value) -> list[str]:
    """The strings that a tuple, list or set holds, or that are keys of a dict."""
    content = machine.read(value, CONTENT) if isinstance(value, HeapObject) else value
    match content:
        case Entries(known):
            return [key for key, _ in known if isinstance(key, str)]
        case TupleValue(elements) | Items(elements):
            values = [e.value for e in elements or () if isinstance(e, Constant)]
            return [text for text in values if isinstance(text, str)]
        case _:
            return []


def iterate(machine: Machine, value: Value, frame: Frame, node: nodes.Node) -> Items:
    """Returns the items of a value; reports an outer iterator that is advanced in a trace."""
    match value:
        case TupleValue(elements, rest):
            return Items(elements, rest, value.length)
        case HeapObject(kind="list" | "set" | "deque"):
            return content_of(machine, value)
        case HeapObject(kind="iterator" | "generator"):
            advance(machine, value, "for", frame, node)
            return _use_up(machine, value)
        case HeapObject(kind="dict"):
            return dict_keys(entries_of(machine, value))
        case HeapObject(kind="instance"):
            return _iterate_instance(machine, value, frame, node)
        case Array():
            _check_iterable(machine, value, frame, node)
            return _array_elements(value, frame)
        case Tree():
            return Items(None, value)
        case Constant(str() | bytes()) | Scalar("str"):
            return characters(value)
        case Choice(options):
            with frame.trying():
                found = [element_of(iterate(machine, o, frame, node)) for o in options]
            return Items(None, join_all(tuple(found)))
        case _:
            return _iterate_other(machine, value, frame)


def _iterate_other(machine: Machine, value: Value, frame: Frame) -> Items:
    """The items of a list of devices, of an enumeration, or of what is declared as a list."""
    if isinstance(value, Device) and value.number is None:
        return each_device(value)
    if isinstance(value, Unknown) and value.declared is not None and frame.trace is not None:
        return Items(None, declared_element(machine, value.declared))
    return iterate_members(machine, value)


def _use_up(machine: Machine, iterator: HeapObject) -> Items:
    """Uses an iterator up, and notes what is left in it. A loop may leave some of it, by `break`;
    `zip` may too.
    """
    items = content_of(machine, iterator)
    if items.elements or items.length:
        machine.write(iterator, CONTENT, Items(None, element_of(items)))
    return items


def characters(value: Constant | Scalar) -> Items:
    """The characters of a text, or the numbers of bytes."""
    text = value.value if isinstance(value, Constant) else None
    if isinstance(text, str | bytes) and len(text) <= MAX_ELEMENTS:
        return Items(tuple(Constant(item) for item in text))
    return Items(None, INT if isinstance(text, bytes) else STR)


def _iterate_instance(machine: Machine, owner: HeapObject, frame: Frame, node: nodes.Node) -> Items:
    """The items by an instance's own `__iter__`, or its `__next__`."""
    made = machine.call_special(owner, "__iter__", (), node, frame)
    match made:
        case None if (inner := container_in(machine, owner)) is not None:
            return iterate(machine, inner, frame, node)
        case None:
            note_lacking(machine, owner, ITERATION, frame, node)
            return Items(None)
        case Choice():
            return Items(None)
        case HeapObject(kind="instance"):
            item = machine.call_special(made, "__next__", (), node, frame)
            # Each iteration yields another: the aval of an array is known, its identity is not.
            return Items(None, anonymous(item) if isinstance(item, Array) else UNKNOWN)
        case _:
            return iterate(machine, made, frame, node)


def _check_iterable(machine: Machine, array: Array, frame: Frame, node: nodes.Node) -> None:
    if is_jax_array(array) and array.aval.shape == ():
        error = ShapeError(
            f"{array.aval} has no axis to iterate over",
            hint="Give an array of one axis or more; jnp.atleast_1d makes one of a scalar.",
        )
        report(machine, error, "for", ((array, node),), frame, node)


def _array_elements(array: Array, frame: Frame) -> Items:
    """The rows of an array: of one of JAX, where operations are staged, results of one."""
    shape = array.aval.shape
    place, level = array.place, array.level
    if is_jax_array(array):
        place, level = place_of_result((array,), frame)
    if not shape:
        return Items(None, Array(UNKNOWN_ARRAY, place, level, array.origin))
    row_aval = type(UNKNOWN_ARRAY)(shape[1:], array.aval.dtype, array.aval.weak_type)
    row = Array(
        row_aval,
        place,
        level,
        array.origin,
        apart=array.apart,
        beneath=array.beneath,
        facets=of_row(array, None),
    )
    if isinstance(shape[0], int) and shape[0] <= 16:
        if any(facet.identifies for facet, _ in array.facets):
            rows = (replace(row, facets=of_row(array, index)) for index in range(shape[0]))
            return Items(tuple(rows))
        return Items((row,) * shape[0])
    return Items(None, row, shape[0] if isinstance(shape[0], int) else None)


def rows_for(array: Array, items: Items, count: int) -> Items:
    """The rows of an array that is unpacked into so many names, where its shape is not known."""
    row = items.rest
    if items.elements is not None or not isinstance(row, Array):
        return items
    if not any(facet.identifies for facet, _ in array.facets):
        return items
    return Items(tuple(replace(row, facets=of_row(array, index)) for index in range(count)))


def constant_key(value: Value) -> Constant | None:
    """A key of a dict as the Python value that it is, where that is known."""
    match value:
        case Constant():
            return value
        case TupleValue(elements, cls=None) if elements is not None:
            parts = [part.value for part in elements if isinstance(part, Constant)]
            return Constant(tuple(parts)) if len(parts) == len(elements) else None
        case _:
            return None


def distinct(elements: tuple[Value, ...]) -> tuple[Value, ...]:
    """The elements of a set, of which those that are known to be equal are one."""
    kept: dict[object, Value] = {}
    for element in elements:
        known = constant_key(element)
        kept.setdefault(element if known is None else (known.value,), element)
    return tuple(kept.values())


def key_value(key: object) -> Value:
    """Returns the value of a known key as the program reads it."""
    if isinstance(key, tuple):
        return TupleValue(tuple(map(Constant, cast("tuple[object, ...]", key))))
    return Constant(key)


def dict_keys(entries: Entries) -> Items:
    """The keys of a dict, as far as they are known."""
    keys = tuple(key_value(key) for key, _ in entries.known)
    return Items(keys) if entries.rest is None else Items(None)


def set_entry(machine: Machine, owner: HeapObject, key: Value, value: Value) -> None:
    """`owner[key] = value` for a dict."""
    known = constant_key(key)
    if known is not None and len(entries_of(machine, owner).known) < MAX_ELEMENTS:
        add_entries(machine, owner, Entries(((known.value, value),)))
    else:
        add_entries(machine, owner, Entries((), value))


def add_entries(machine: Machine, owner: HeapObject, new: Entries) -> None:
    """`owner.update(new)`; of the dict of an object's attributes, these are set."""
    machine.write(owner, CONTENT, merged(entries_of(machine, owner), new))
    host = machine.read(owner, HOST)
    if isinstance(host, HeapObject):
        for name, value in new.known:
            machine.write(host, str(name), value)


def attributes_dict(machine: Machine, owner: HeapObject) -> HeapObject:
    """`owner.__dict__`: one dict for each instance."""
    made = machine.read(owner, "__dict__")
    if not isinstance(made, HeapObject):
        made = HeapObject("dict", owner.level)
        machine.write(made, CONTENT, NO_ENTRIES)
        machine.write(made, HOST, owner)
        machine.write(owner, "__dict__", made)
    held_now = machine.store.held_by(owner)
    names = [name for name, _ in held_now if name not in ("__dict__", CONTENT)]
    held = ((name, machine.read(owner, name)) for name in names)
    entries = Entries(tuple((name, value) for name, value in held if value is not None))
    machine.write(made, CONTENT, merged(entries_of(machine, made), entries))
    return made


def length(machine: Machine, value: Value) -> Value:
    """`len(value)`."""
    match value:
        case TupleValue(elements) if elements is not None:
            return Constant(len(elements))
        case HeapObject(kind="list" | "deque"):
            elements = content_of(machine, value).elements
            return INT if elements is None else Constant(len(elements))
        case HeapObject(kind="set"):
            elements = content_of(machine, value).elements
            if elements is None or not all(isinstance(each, Constant) for each in elements):
                # Equal elements are one.
                return INT if elements != () else Constant(0)
            distinct = {each.value for each in elements if isinstance(each, Constant)}
            return Constant(len(distinct))
        case HeapObject(kind="dict"):
            entries = entries_of(machine, value)
            return Constant(len(entries.known)) if entries.rest is None else INT
        case Constant(str() | bytes() as text):
            return Constant(len(text))
        case Array(aval):
            size = aval.shape[0] if aval.shape else None
            return Constant(size) if isinstance(size, int) else INT
        case _:
            return INT
