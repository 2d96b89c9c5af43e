"""Assignments: to names, attributes, items and patterns of them."""

from collections.abc import Callable, Sequence

from oakum.values.records import replace
from oakum_lint.arrays.argument_uses import tracer_inside
from oakum_lint.arrays.device_lists import first_devices
from oakum_lint.arrays.integer_ranges import RANGE
from oakum_lint.arrays.shape_errors import report, unpacking_error
from oakum_lint.domain import events
from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.callables import (
    ClassValue,
    FunctionValue,
    ModuleValue,
    Transformed,
    Wrapper,
    attribute_cell,
)
from oakum_lint.domain.doubts import note_stop
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.joins import element_of, join, join_all
from oakum_lint.domain.look_ups import class_attribute, container_in, content_of, entries_of
from oakum_lint.domain.moments import (
    announce_binding,
    bind_outside,
    set_attribute_of,
    set_item_of,
    store_in,
    wait_for,
    write_to,
)
from oakum_lint.domain.names import binding_scope, bound_in
from oakum_lint.domain.store import CONTENT, Key, Owner
from oakum_lint.domain.values import (
    UNKNOWN,
    Array,
    Choice,
    Constant,
    Device,
    External,
    HeapObject,
    Items,
    Place,
    SliceValue,
    Tree,
    TupleValue,
    Unknown,
    Value,
    is_jax_array,
    is_tracer,
)
from oakum_lint.python.expressions.attributes import get_special
from oakum_lint.python.expressions.failures import (
    ITERATION,
    note_assigned,
    note_lacking,
    note_name,
    note_unfit,
)
from oakum_lint.python.expressions.narrowing import forget_shape
from oakum_lint.python.expressions.operators import call_special
from oakum_lint.python.expressions.subscripts import find_index_tracer, known_bounds
from oakum_lint.python.objects.containers import (
    constant_key,
    iterate,
    known_elements,
    rows_for,
    set_entry,
)
from oakum_lint.python.objects.hashing import check_hash
from oakum_lint.syntax import nodes


def assign(
    machine: Machine, target: nodes.Expression, value: Value, frame: Frame, operator: str = "="
) -> None:
    """Binds the targets of one assignment; `operator` is its spelling, for messages."""
    stack: list[tuple[nodes.Expression, Value]] = [(target, value)]
    while stack:
        target, value = stack.pop()
        match target:
            case nodes.Name(identifier=name):
                bind_name(machine, name, value, frame, target)
            case nodes.Attribute():
                owner = machine.evaluate(target.value, frame)
                note_assigned(machine, owner, target.attribute, frame, target)
                set_attribute(machine, owner, target.attribute, value, frame, target)
                if isinstance(owner, Array):
                    forget_shape(machine, target.value, frame)
            case nodes.Subscript():
                owner = machine.evaluate(target.value, frame)
                index = machine.evaluate(target.index, frame)
                set_item(machine, owner, index, value, frame, target, operator)
            case nodes.Display(elements=targets):
                _check_unpacked(machine, target, value, frame)
                stack.extend(_unpack(machine, targets, value, frame))
            case nodes.Starred():
                stack.append((target.value, value))
            case _:
                pass


def _check_unpacked(machine: Machine, target: nodes.Display, value: Value, frame: Frame) -> None:
    """Reports an array that has another number of rows than there are names for them."""
    rows = value.aval.shape[0] if isinstance(value, Array) and value.aval.shape else None
    error = unpacking_error(rows, target.elements) if isinstance(rows, int) else None
    if error is not None:
        report(machine, error, frame.text(target), ((value, None),), frame, target)


def _unpack(
    machine: Machine, targets: tuple[nodes.Expression, ...], value: Value, frame: Frame
) -> list[tuple[nodes.Expression, Value]]:
    if not targets:
        return []
    items = iterate(machine, value, frame, targets[0])
    starred = next((i for i, t in enumerate(targets) if isinstance(t, nodes.Starred)), None)
    if isinstance(value, Device) and value.number is None and starred is None:
        items = Items(first_devices(value, len(targets)))
    if isinstance(value, Array) and starred is None:
        items = rows_for(value, items, len(targets))
    elements = items.elements
    note_lacking(machine, value, ITERATION, frame, targets[0])
    if _misses(value, elements, len(targets), starred is not None):
        note_stop(machine, frame, targets[0])
    if elements is None or len(elements) < len(targets) - (starred is not None):
        unknown = Items(None, element_of(items))
        plain: list[tuple[nodes.Expression, Value]] = [
            (target, unknown.rest) for target in targets if not isinstance(target, nodes.Starred)
        ]
        return plain + [
            (target.value, _rest_list(machine, unknown, frame))
            for target in targets
            if isinstance(target, nodes.Starred)
        ]
    if starred is None:
        return list(zip(targets, elements, strict=False))
    after = len(targets) - starred - 1
    middle = elements[starred : len(elements) - after]
    pairs = list(zip(targets[:starred], elements[:starred], strict=True))
    rest = targets[starred]
    if isinstance(rest, nodes.Starred):
        pairs.append((rest.value, _rest_list(machine, Items(middle), frame)))
    if after:
        pairs.extend(zip(targets[starred + 1 :], elements[-after:], strict=True))
    return pairs


def _misses(value: Value, elements: tuple[Value, ...] | None, names: int, starred: bool) -> bool:
    """Whether what is unpacked certainly has another number of elements than there are names."""
    if elements is None or not isinstance(value, TupleValue | HeapObject):
        return False
    return len(elements) < names - 1 if starred else len(elements) != names


def _rest_list(machine: Machine, items: Items, frame: Frame) -> HeapObject:
    made = HeapObject("list", frame.level)
    machine.write(made, CONTENT, items)
    return made


def bind_name(machine: Machine, name: str, value: Value, frame: Frame, node: nodes.Node) -> None:
    """`name = value` in a frame."""
    scope = binding_scope(machine, name, frame)
    if machine.stars.held((scope, name), machine.store) is not None:
        machine.rebound.add((scope, name))
    if scope is not frame.scope:
        old = machine.store.get((scope, name))
        bind_outside(machine, scope, name, old, value, frame, node)
    announce_binding(machine, (scope, name), frame)
    machine.write(scope, name, value)


def set_attribute(
    machine: Machine, owner: Value, name: str, value: Value, frame: Frame, node: nodes.Node
) -> None:
    """`owner.name = value`, by whatever way: `object.__setattr__` sets fields of frozen objects."""
    match owner:
        case HeapObject(kind="instance") if _is_set_by_class(
            machine, owner, name, value, frame, node
        ):
            pass
        case HeapObject(kind="instance"):
            set_attribute_of(machine, owner, name, value, frame, node)
            write_to(machine, (owner, name), frame, node)
            announce_binding(machine, (owner, name), frame)
            machine.write(owner, name, value)
        case ClassValue():
            set_attribute_of(machine, owner, name, value, frame, node)
            write_to(machine, (owner.body, name), frame, node)
            machine.write(owner.body, name, value)
        case FunctionValue() | Transformed():
            set_attribute_of(machine, owner, name, value, frame, node)
            cell = attribute_cell(owner, name)
            if cell is not None:
                machine.write(*cell, value)
        case Unknown() | External():
            set_attribute_of(machine, owner, name, value, frame, node)
        case ModuleValue(module):
            bind_outside(machine, module.scope, name, None, value, frame, node)
            machine.write(module.scope, name, value)
        case Choice(options):
            _in_each(
                machine, options, lambda one: set_attribute(machine, one, name, value, frame, node)
            )
        case _:
            pass


def _in_each(machine: Machine, options: Sequence[Value], change: Callable[[Value], None]) -> None:
    """Changes one of several objects: each on a path of its own."""
    paths: list[dict[Key, Value]] = []
    for option in options:

        def run(option: Value = option) -> bool:
            change(option)
            return True

        paths.append(machine.run_path(run)[1])
    machine.store.merge(paths)


def _is_set_by_class(
    machine: Machine, owner: HeapObject, name: str, value: Value, frame: Frame, node: nodes.Node
) -> bool:
    """Whether the class of an instance holds a property with a setter, or a descriptor of the
    project, under the name: that receives the value.
    """
    held = None if owner.cls is None else class_attribute(machine, owner.cls, name)
    match held:
        case Wrapper("property", setter=Value() as setter):
            machine.call(setter, Arguments((owner, value)), frame, node)
            return True
        case Wrapper("property"):
            note_stop(machine, frame, node)
            return False
        case HeapObject(kind="instance"):
            return call_special(machine, held, "__set__", (owner, value), node, frame) is not None
        case _:
            return False


def set_item(
    machine: Machine,
    owner: Value,
    index: Value,
    value: Value,
    frame: Frame,
    node: nodes.Subscript,
    operator: str,
) -> None:
    """`owner[index] = value`."""
    if isinstance(index, Constant) and isinstance(index.value, str) and isinstance(owner, Array):
        # Only a mapping has keys: what was taken for an array is none.
        set_item_of(machine, owner, value, frame, node)
        return
    if isinstance(owner, Choice) and all(isinstance(one, HeapObject) for one in owner.options):
        _in_each(
            machine,
            owner.options,
            lambda one: _set_item_of_one(machine, one, index, value, frame, node, operator),
        )
        return
    _set_item_of_one(machine, owner, index, value, frame, node, operator)


def _tracer_in(machine: Machine, value: Value) -> Array | Tree | None:
    """Returns a value that is a tracer, or a tracer in it."""
    if isinstance(value, Array | Tree) and is_tracer(value):
        return value
    return tracer_inside(machine, value, "array")


def _set_item_of_one(
    machine: Machine,
    owner: Value,
    index: Value,
    value: Value,
    frame: Frame,
    node: nodes.Subscript,
    operator: str,
) -> None:
    """`owner[index] = value`, where it is known which kind of object `owner` is."""
    container = frame.text(node.value)
    match owner:
        case Array() if is_jax_array(owner):
            machine.emit(
                events.ItemAssignment,
                frame,
                node,
                owner,
                node.value,
                container=container,
                index=frame.text(node.index),
                operator=operator,
                target_is_numpy=False,
            )
        case Array(_, Place.HOST):
            tracer = find_index_tracer(index) or _tracer_in(machine, value)
            if tracer is not None:
                machine.emit(
                    events.ItemAssignment,
                    frame,
                    node,
                    tracer,
                    node,
                    container=container,
                    index=frame.text(node.index),
                    operator=operator,
                    target_is_numpy=True,
                )
            else:
                wait_for(machine, value)  # NumPy copies its numbers
                note_unfit(machine, owner, index, value, frame, node)
                _change_elements(machine, owner, frame, node)
        case HeapObject(kind="dict"):
            if check_hash(machine, index, frame, node.index, "dict key"):
                return
            store_in(machine, owner, value, "=", frame, node)
            write_to(machine, (owner, CONTENT), frame, node)
            set_entry(machine, owner, index, value)
        case HeapObject(kind="list" | "deque"):
            _set_list_item(machine, owner, index, value, frame, node)
        case HeapObject(kind="instance"):
            _set_item_of_instance(machine, owner, index, value, frame, node, operator)
        case TupleValue() | Constant(str() | bytes()):
            if call_special(machine, owner, "__setitem__", (index, value), node, frame) is None:
                note_stop(machine, frame, node)
        case _:
            wait_for(machine, value)  # it may be an array of NumPy
            set_item_of(machine, owner, value, frame, node)


def _set_item_of_instance(
    machine: Machine,
    owner: HeapObject,
    index: Value,
    value: Value,
    frame: Frame,
    node: nodes.Subscript,
    operator: str,
) -> None:
    """`owner[index] = value` of an instance: by its own method, or that of the dict or list that
    its class inherits from.
    """
    found = call_special(machine, owner, "__setitem__", (index, value), node, frame)
    inner = container_in(machine, owner) if found is None else None
    if found is None and inner is None:
        note_lacking(machine, owner, ("__setitem__",), frame, node)
    if inner is not None:
        set_item(machine, inner, index, value, frame, node, operator)


def _change_elements(machine: Machine, array: Array, frame: Frame, node: nodes.Subscript) -> None:
    """Says of the variable or attribute that holds a NumPy array that its elements have changed."""
    match node.value:
        case nodes.Name(identifier=name):
            owner: Owner | None = bound_in(machine, name, frame)
        case nodes.Attribute(value=holder, attribute=name):
            found = machine.evaluate(holder, frame)
            owner = found if isinstance(found, HeapObject) else None
        case _:
            return
    if owner is not None:
        write_to(machine, (owner, name), frame, node)
        changed = RANGE.put(array, None)
        for hears in machine.moments.elements_changed:
            changed = hears(changed)
        machine.write(owner, name, changed)


def _set_list_item(
    machine: Machine,
    owner: HeapObject,
    index: Value,
    value: Value,
    frame: Frame,
    node: nodes.Subscript,
) -> None:
    if isinstance(index, Array | Tree) and index.place is Place.ABSTRACT:
        machine.emit(
            events.SequenceIndex,
            frame,
            node.index,
            index,
            node.index,
            container=frame.text(node.value),
            kind="list",
        )
        return
    content = content_of(machine, owner)
    if isinstance(index, SliceValue):
        items = iterate(machine, value, frame, node)
        store_in(machine, owner, TupleValue(items.elements, items.rest), "=", frame, node)
        write_to(machine, (owner, CONTENT), frame, node)
        machine.write(owner, CONTENT, _spliced(content, index, items))
        return
    store_in(machine, owner, value, "=", frame, node)
    write_to(machine, (owner, CONTENT), frame, node)
    elements = content.elements
    if elements is not None and isinstance(index, Constant) and isinstance(index.value, int):
        position = index.value
        if -len(elements) <= position < len(elements):
            changed = list(elements)
            changed[position] = value
            machine.write(owner, CONTENT, Items(tuple(changed)))
            return
        note_stop(machine, frame, node)
    if elements is not None:
        machine.write(owner, CONTENT, Items(tuple(join(item, value) for item in elements)))
        return
    machine.write(owner, CONTENT, Items(None, join_all((content.rest, value))))


def _spliced(content: Items, index: SliceValue, new: Items) -> Items:
    """The content of a list after `items[index] = new`."""
    bounds = known_bounds(index)
    if content.elements is not None and new.elements is not None and bounds is not None:
        left = [*content.elements]
        try:
            left[bounds] = new.elements
        except ValueError:
            return content
        return Items(tuple(left))
    return Items(None, join_all((*known_elements(content), *known_elements(new))))


def delete(machine: Machine, target: nodes.Expression, frame: Frame) -> None:
    """`del target`."""
    match target:
        case nodes.Name(identifier=name):
            if machine.read(binding_scope(machine, name, frame), name) is None:
                note_name(machine, name, frame, target)
            machine.write(binding_scope(machine, name, frame), name, UNKNOWN)
        case nodes.Subscript():
            _delete_item(machine, target, frame)
        case nodes.Display(elements=targets):
            for item in targets:
                delete(machine, item, frame)
        case nodes.Attribute():
            owner = machine.evaluate(target.value, frame)
            if isinstance(owner, HeapObject) and machine.read(owner, target.attribute) is not None:
                machine.write(owner, target.attribute, UNKNOWN)
        case _:
            pass


def _delete_item(machine: Machine, target: nodes.Subscript, frame: Frame) -> None:
    """`del owner[index]`."""
    owner = machine.evaluate(target.value, frame)
    index = machine.evaluate(target.index, frame)
    if get_special(machine, owner, "__delitem__") is None:
        owner = container_in(machine, owner) or owner
    match owner:
        case HeapObject(kind="dict"):
            entries, key = entries_of(machine, owner), constant_key(index)
            if key is not None and entries.rest is None and entries.get(key.value) is None:
                note_stop(machine, frame, target)
            kept = [item for item in entries.known if Constant(item[0]) != index]
            machine.write(owner, CONTENT, replace(entries, known=tuple(kept)))
        case HeapObject(kind="list" | "deque"):
            machine.write(owner, CONTENT, _without_item(content_of(machine, owner), index))
        case HeapObject(kind="instance"):
            call_special(machine, owner, "__delitem__", (index,), target, frame)
        case Array() if is_jax_array(owner):
            machine.emit(
                events.ItemAssignment,
                frame,
                target,
                owner,
                target.value,
                container=frame.text(target.value),
                index=frame.text(target.index),
                operator="del",
                target_is_numpy=False,
            )
        case _:
            pass


def _without_item(content: Items, index: Value) -> Items:
    """The content of a list after `del items[index]`."""
    elements, at = content.elements, index.value if isinstance(index, Constant) else None
    if elements is not None and isinstance(at, int) and -len(elements) <= at < len(elements):
        return Items((*elements[:at], *elements[at:][1:]))
    bounds = known_bounds(index) if isinstance(index, SliceValue) else None
    if elements is not None and bounds is not None:
        left = [*elements]
        del left[bounds]
        return Items(tuple(left))
    return Items(None, element_of(content))
