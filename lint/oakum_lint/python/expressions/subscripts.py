"""Subscripts: `value[index]` of arrays, sequences, dicts and classes."""

from typing import Any

from oakum.abstract import operators as abstract
from oakum.values.avals import ShapedArray
from oakum_lint.arrays.array_results import (
    as_array,
    is_whole,
    new_array,
    operands,
    to_abstract,
)
from oakum_lint.arrays.device_lists import device_at
from oakum_lint.arrays.enums import members_of, named_member
from oakum_lint.arrays.sequence_operands import check_index
from oakum_lint.arrays.shape_errors import answer, host_result
from oakum_lint.domain import events
from oakum_lint.domain.arguments import NO_ARGUMENTS, Arguments
from oakum_lint.domain.callables import ClassValue, ModuleValue, TypeForm, UnknownMember
from oakum_lint.domain.doubts import note_stop
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.joins import element_of, join, join_all
from oakum_lint.domain.look_ups import class_attribute, container_in, content_of, entries_of
from oakum_lint.domain.moments import read_elements
from oakum_lint.domain.values import (
    NONE,
    STR,
    UNKNOWN,
    Array,
    Choice,
    Constant,
    Device,
    External,
    HeapObject,
    Items,
    Place,
    Scalar,
    SliceValue,
    Tree,
    TupleValue,
    Unknown,
    UpdateRef,
    Value,
)
from oakum_lint.models.annotations import form_kind, shaped_annotation_kind
from oakum_lint.models.mutation import MODULES
from oakum_lint.python.expressions.attributes import get_special
from oakum_lint.python.expressions.failures import is_no_place, note_beyond, note_item
from oakum_lint.python.expressions.narrowing import refine, refine_array
from oakum_lint.python.objects.containers import (
    FACTORY,
    characters,
    constant_key,
    look_up,
    make_list,
    set_entry,
)
from oakum_lint.python.objects.hashing import check_hash
from oakum_lint.python.objects.lifetimes import adopt
from oakum_lint.syntax import nodes


def subscript(machine: Machine, node: nodes.Subscript, frame: Frame) -> Value:
    """Evaluates a subscript expression."""
    owner = machine.evaluate(node.value, frame)
    index = machine.evaluate(node.index, frame)
    return get_item(machine, owner, index, frame, node)


def get_item(
    machine: Machine, owner: Value, index: Value, frame: Frame, node: nodes.Subscript
) -> Value:
    """`owner[index]`."""
    match owner:
        case UpdateRef(array):
            if check_index(machine, array, index, frame, node):
                return UNKNOWN
            _check_slices(machine, array, index, frame, node)
            return UpdateRef(array, True, find_mask(index), index)
        case Array():
            read_elements(machine, (owner,), frame, node)
            return _index_array(machine, owner, index, frame, node)
        case Tree():
            return _index_tree(machine, owner, index, frame, node)
        case TupleValue():
            method = get_special(machine, owner, "__getitem__")
            if method is not None:
                return machine.call(method, Arguments((index,), places=(node.index,)), frame, node)
            return _index_sequence(machine, "tuple", owner, index, frame, node)
        case HeapObject():
            return _index_object(machine, owner, index, frame, node)
        case Constant(str() | bytes()) | Scalar("str"):
            return _index_text(machine, owner, index, frame, node)
        case Choice(options):
            with frame.trying():
                items = [get_item(machine, o, index, frame, node) for o in options]
            return join_all(tuple(items))
        case _:
            note_item(machine, owner, frame, node)
            return _index_other(machine, owner, index, frame, node)


def _index_other(
    machine: Machine, owner: Value, index: Value, frame: Frame, node: nodes.Subscript
) -> Value:
    """`owner[index]` of what holds no values: a class, a name of a library, a list of devices."""
    match owner:
        case ClassValue(conventions=conventions) if "enum" in conventions:
            member = named_member(machine, owner, index)
            if member is None and isinstance(index, Constant) and members_of(machine, owner):
                note_stop(machine, frame, node)
            return member or UNKNOWN
        case UnknownMember():
            return owner
        case External(path) if path == MODULES:
            # Mostly the module that asks for itself.
            return UnknownMember(owner=ModuleValue(frame.module))
        case ClassValue():
            # Of a class that inherits from `Generic[T]` it is the class, with types as arguments.
            own_way = class_attribute(machine, owner, "__class_getitem__")
            return owner if own_way is None else UNKNOWN
        case External():
            return _index_type(owner, index)
        case Device():
            found = device_at(owner, index)
            if isinstance(found, Items):
                return make_list(machine, found.elements, UNKNOWN, frame)
            return found
        case Unknown(facets=facets) if facets:
            return Unknown(facets=facets)
        case _:
            return UNKNOWN


def _index_type(owner: External, index: Value) -> Value:
    """`owner[index]` of a name of a library: a type with its arguments."""
    parts = index.elements if isinstance(index, TupleValue) else (index,)
    if parts is None or not (form_kind(owner.path) or shaped_annotation_kind(owner.path)):
        return UNKNOWN
    return TypeForm(owner.path, parts)


def _index_object(
    machine: Machine, owner: HeapObject, index: Value, frame: Frame, node: nodes.Subscript
) -> Value:
    """`owner[index]` of a list, a dict, or an instance with a `__getitem__` of its own."""
    match owner.kind:
        case "list" | "deque":
            found = _index_sequence(machine, "list", content_of(machine, owner), index, frame, node)
            if isinstance(index, SliceValue) and isinstance(found, TupleValue):
                return make_list(machine, found.elements, found.rest, frame)
            return found
        case "dict":
            return _index_dict(machine, owner, index, frame, node)
        case "instance":
            method = get_special(machine, owner, "__getitem__")
            if method is not None:
                return machine.call(method, Arguments((index,), places=(node.index,)), frame, node)
            inner, missing = container_in(machine, owner), get_special(machine, owner, FACTORY)
            if inner is None:
                note_item(machine, owner, frame, node)
                return UNKNOWN
            if missing is not None and _may_lack(machine, inner, index):
                found = machine.call(
                    missing, Arguments((index,), places=(node.index,)), frame, node
                )
                return join(found, entries_of(machine, inner).rest or found)
            return _index_object(machine, inner, index, frame, node)
        case "set":
            note_stop(machine, frame, node)
            return UNKNOWN
        case "iterator" | "generator":
            note_item(machine, owner, frame, node)
            return UNKNOWN
        case _:
            return UNKNOWN


def _may_lack(machine: Machine, table: HeapObject, index: Value) -> bool:
    """Whether a dict is not seen to have an entry for a key that is known."""
    key = constant_key(index)
    if table.kind != "dict" or key is None:
        return False
    return entries_of(machine, table).get(key.value) is None


def _index_text(
    machine: Machine, text: Constant | Scalar, index: Value, frame: Frame, node: nodes.Subscript
) -> Value:
    """`text[index]` of a str or bytes."""
    known = text.value if isinstance(text, Constant) else None
    found = _index_sequence(machine, "str", characters(text), index, frame, node)
    if not isinstance(found, TupleValue):
        return found
    # A slice of a text is a text.
    parts = [part.value for part in found.elements or () if isinstance(part, Constant)]
    if found.elements is not None and isinstance(known, str):
        return Constant("".join(map(str, parts)))
    return STR if not isinstance(known, bytes) else Scalar("bytes")


def find_mask(index: Value) -> Array | None:
    """A traced boolean array in an index."""
    for part in index.elements or () if isinstance(index, TupleValue) else (index,):
        if (
            isinstance(part, Array)
            and part.place is Place.ABSTRACT
            and part.aval.dtype is not None
            and part.aval.dtype.name == "bool"
        ):
            return part
    return None


def find_index_tracer(index: Value) -> Array | Tree | None:
    """An abstract tracer in an index, other than in the bounds of a slice."""
    parts = index.elements or () if isinstance(index, TupleValue) else (index,)
    for part in parts:
        if isinstance(part, Array | Tree) and part.place is Place.ABSTRACT:
            return part
    return None


def _check_slices(
    machine: Machine, owner: Value | Items, index: Value, frame: Frame, node: nodes.Subscript
) -> bool:
    """Reports traced bounds of slices in an index; whether there was one."""
    parts = index.elements or () if isinstance(index, TupleValue) else (index,)
    found = False
    for position, part in enumerate(parts):
        if not isinstance(part, SliceValue):
            continue
        place = node.index
        if isinstance(place, nodes.Display) and position < len(place.elements):
            place = place.elements[position]
        for name in ("lower", "upper", "step"):
            value: Value = getattr(part, name)
            if isinstance(value, Array | Tree) and value.place is Place.ABSTRACT:
                bound: nodes.Node | None = getattr(place, name, None)
                machine.emit(
                    events.SliceBound,
                    frame,
                    place,
                    value,
                    bound or place,
                    container=frame.text(node.value),
                    bound={"lower": "start", "upper": "stop", "step": "step"}[name],
                    rank=owner.aval.ndim if isinstance(owner, Array) else None,
                )
                found = True
                break
    return found


def _index_array(
    machine: Machine, owner: Array, index: Value, frame: Frame, node: nodes.Subscript
) -> Value:
    if isinstance(index, Constant) and isinstance(index.value, str):
        # A field of a structured array, or a mapping that was taken for an array.
        return UNKNOWN
    if _check_slices(machine, owner, index, frame, node):
        return UNKNOWN
    if check_index(machine, owner, index, frame, node):
        return UNKNOWN
    if owner.place is Place.HOST:
        tracer = find_index_tracer(index)
        if tracer is not None:
            machine.emit(
                events.NumpyIndex,
                frame,
                node.index,
                tracer,
                node.index,
                container=frame.text(node.value),
            )
            return UNKNOWN
        note_beyond(machine, owner, index, frame, node)
        found = host_result(
            machine, lambda: abstract.subscript(owner.aval, to_abstract(index)), frame, node
        )
        return Array(_indexed_aval(owner, found), Place.HOST)
    if _check_mask(machine, owner, index, frame, node):
        return UNKNOWN
    for hears in machine.moments.indexed:
        hears(machine, owner, index, "", frame, node, node)
    if isinstance(node.index, nodes.Name):
        refine(machine, node.index, index, frame)
    found = answer(
        machine,
        lambda: abstract.subscript(owner.aval, to_abstract(index)),
        "[]",
        ((owner, node.value), (index, node.index)),
        frame,
        node,
    )
    aval = _indexed_aval(owner, found)
    made = new_array(aval, (owner, *_array_parts(index)), frame, node)
    for follows in machine.moments.item_read:
        made = follows(machine, owner, index, made, frame)
    return made


def _check_mask(
    machine: Machine, owner: Value, index: Value, frame: Frame, node: nodes.Subscript
) -> bool:
    """Reports a traced boolean mask in an index; whether there was one."""
    mask = find_mask(index)
    if mask is None:
        return False
    machine.emit(
        events.MaskIndex,
        frame,
        node,
        mask,
        node.index,
        container=frame.text(node.value),
        update="",
        whole=is_whole(owner, mask),
    )
    return True


def _array_parts(index: Value) -> list[Value]:
    """The arrays of an index: they make the result a tracer, the other parts do not."""
    return [part for part in operands((index,)) if isinstance(part, Array | Tree)]


def _indexed_aval(owner: Array, found: Any) -> ShapedArray:
    return found if isinstance(found, ShapedArray) else ShapedArray(None, owner.aval.dtype, None)


def _index_tree(
    machine: Machine, owner: Tree, index: Value, frame: Frame, node: nodes.Subscript
) -> Value:
    if _check_slices(machine, owner, index, frame, node):
        return UNKNOWN
    if _check_mask(machine, owner, index, frame, node):
        refine_array(machine, node.value, owner, frame)
        return UNKNOWN
    parts = index.elements or () if isinstance(index, TupleValue) else ()
    is_array = isinstance(index, Array) or any(
        isinstance(part, SliceValue | Array) or part == NONE or part == Constant(Ellipsis)
        for part in parts
    )
    if is_array:
        refine_array(machine, node.value, owner, frame)
        return new_array(None, (as_array(owner), *_array_parts(index)), frame, node)
    return owner


FIRST_PLACES = tuple(map(Constant, range(2)))
"""The places of what a container of unknown length may be known to begin with."""


def _index_sequence(
    machine: Machine,
    kind: str,
    content: TupleValue | Items,
    index: Value,
    frame: Frame,
    node: nodes.Subscript,
) -> Value:
    elements, rest = content.elements, content.rest
    if isinstance(content, Items) and content.first and elements is None:
        elements = content.first if index in FIRST_PLACES[: len(content.first)] else None
    if isinstance(index, Array | Tree) and index.place is Place.ABSTRACT:
        machine.emit(
            events.SequenceIndex,
            frame,
            node.index,
            index,
            node.index,
            container=frame.text(node.value),
            kind=kind,
            of_objects=any(map(_is_object, (*(elements or ()), rest))),
        )
        return UNKNOWN
    if isinstance(index, SliceValue):
        if _check_slices(machine, content, index, frame, node):
            return UNKNOWN
        return _slice_sequence(elements, rest, index)
    if is_no_place(index):
        note_stop(machine, frame, node)
        return UNKNOWN
    if elements is None:
        return rest
    if isinstance(index, Constant) and isinstance(index.value, int):
        if -len(elements) <= index.value < len(elements):
            return elements[index.value]
        note_stop(machine, frame, node)
        return UNKNOWN
    return join_all(elements)


_OBJECTS = ("dict", "set", "instance")


def _is_object(value: Value) -> bool:
    """Whether an element of a sequence is known to be an object, which no array takes."""
    options = value.options if isinstance(value, Choice) else (value,)
    return any(isinstance(o, HeapObject) and o.kind in _OBJECTS for o in options)


def _slice_sequence(
    elements: tuple[Value, ...] | None, rest: Value, index: SliceValue
) -> TupleValue:
    bounds = known_bounds(index)
    if elements is not None and bounds is not None:
        return TupleValue(elements[bounds])
    return TupleValue(None, rest if elements is None else join_all(elements))


def known_bounds(index: SliceValue) -> slice | None:
    """A slice whose bounds and step are known, and which takes some of a sequence."""
    bounds = (index.lower, index.upper, index.step)
    known = [
        bound.value
        for bound in bounds
        if isinstance(bound, Constant) and isinstance(bound.value, int | None)
    ]
    return slice(*known) if len(known) == len(bounds) and known[2] != 0 else None


def _index_dict(
    machine: Machine, owner: HeapObject, index: Value, frame: Frame, node: nodes.Subscript
) -> Value:
    if check_hash(machine, index, frame, node.index, "dict key"):
        return UNKNOWN
    key = constant_key(index)
    entries = look_up(machine, owner, key, frame, node)
    if key is not None:
        found = entries.get(key.value)
        if found is not None:
            return found
        if entries.rest is None:
            if machine.read(owner, FACTORY) is None:
                note_stop(machine, frame, node)
            return _make_entry(machine, owner, index, frame, node)
        # The key is there or the program fails: it is one of those not known by name.
        return _found_or_made(machine, owner, index, entries.rest, frame, node)
    if entries.rest is not None or entries.known:
        return _found_or_made(machine, owner, index, element_of(entries), frame, node)
    return _make_entry(machine, owner, index, frame, node)


def _found_or_made(
    machine: Machine,
    owner: HeapObject,
    key: Value,
    found: Value,
    frame: Frame,
    node: nodes.Subscript,
) -> Value:
    """Returns an entry that is there; or one that a `defaultdict` makes, as the key may be another
    than those before.
    """
    if machine.read(owner, FACTORY) is None:
        return found
    return _make_entry(machine, owner, key, frame, node, found)


def _make_entry(
    machine: Machine,
    owner: HeapObject,
    key: Value,
    frame: Frame,
    node: nodes.Subscript,
    *found: Value,
) -> Value:
    """Makes the entry of a `defaultdict` for a key that it lacks, or may lack: then it is that, or
    what is `found` there; Unknown for other dicts.
    """
    factory = machine.read(owner, FACTORY)
    if factory is None:
        return UNKNOWN
    made = machine.call(factory, NO_ARGUMENTS, frame, node)
    adopt(machine, made, owner.level)
    entry = join_all((*found, made))
    set_entry(machine, owner, key, entry)
    return entry
