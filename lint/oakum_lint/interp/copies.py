"""Copies: variables and containers that were given the very array that another variable holds."""

from collections.abc import Collection

from oakum.records import replace
from oakum_lint.facts import nodes
from oakum_lint.interp.frames import Frame
from oakum_lint.interp.machine import Machine
from oakum_lint.interp.names import bound_in, look_up
from oakum_lint.interp.store import CONTENT, Key
from oakum_lint.interp.values import Array, Entries, HeapObject, Items, Place, TupleValue, Value


def note_copy(machine: Machine, source: nodes.Node, target: Key, frame: Frame) -> None:
    """Notes that a variable or a container is given what a variable, an attribute or an item
    holds.
    """
    if frame.level:
        return
    keys = _cells(machine, source, frame)
    if not keys or keys[0] == target:
        return
    recorder = machine.recorder
    if recorder is not None and len(keys) > 1 and target[0].uid < recorder.start:
        recorder.copies = True
    group = machine.copied.setdefault(keys[0], {keys[0]: None})
    for key in keys[1:]:
        group[key] = None
        machine.copied.setdefault(key, group)
    group[target] = None
    if target[1] != CONTENT:
        machine.copied[target] = group


def forget_copy(machine: Machine, target: Key) -> None:
    """Notes that a variable is given something else."""
    group = machine.copied.pop(target, None)
    if group is not None:
        group.pop(target, None)


def _cells(machine: Machine, source: nodes.Node, frame: Frame) -> list[Key]:
    """The cell that an expression reads, and the variables under whose names the callers handed its
    content on.
    """
    first = _cell(machine, source, frame)
    if first is None:
        return []
    found = [first]
    if isinstance(source, nodes.Name):
        name, at = source.identifier, frame
        while name in at.handed and at.caller is not None:
            name, at = at.handed[name][1].identifier, at.caller
            scope = bound_in(machine, name, at)
            if scope is not None:
                found.append((scope, name))
    return found


def _cell(machine: Machine, source: nodes.Node, frame: Frame) -> Key | None:
    """The cell that an expression reads, where it reads one only."""
    match source:
        case nodes.Name(identifier=name):
            scope = bound_in(machine, name, frame)
            return None if scope is None else (scope, name)
        case nodes.Attribute(value=nodes.Name(identifier=name), attribute=attribute):
            owner = look_up(machine, name, frame)
            return (owner, attribute) if isinstance(owner, HeapObject) else None
        case nodes.Subscript(value=nodes.Name(identifier=name)):
            owner = look_up(machine, name, frame)
            return (owner, CONTENT) if isinstance(owner, HeapObject) else None
        case _:
            return None


def copies_of(machine: Machine, source: nodes.Node, frame: Frame) -> list[Key]:
    """The other cells that hold what an expression reads, as far as that was noted."""
    cells = _cells(machine, source, frame)
    found = dict.fromkeys(cells)
    for key in cells:
        held = machine.store.get(key)
        inside = ((held, CONTENT),) if isinstance(held, HeapObject) else ()
        for start in (key, *inside):
            found.update(machine.copied.get(start, {}))
    for key in [*found]:
        held = machine.store.get(key)
        if isinstance(held, HeapObject):
            found[held, CONTENT] = None
    return [key for key in found if key not in cells[:1]]


def free_in(value: Value, arrays: Collection[Value]) -> Value:
    """A value, with those of the arrays that it holds said to be gone. Of a container that holds
    one of them twice it is not known which of the two is meant.
    """
    held: list[Value] = list(_elements(value))
    if any(sum(part is array for part in held) > 1 for array in arrays):
        return value

    def free(part: Value) -> Value:
        if isinstance(part, Array) and part.place is Place.DEVICE:
            gone = any(part is array for array in arrays)
            return replace(part, freed=True) if gone else part
        return part

    match value:
        case Array():
            return free(value)
        case TupleValue(elements) if elements is not None:
            return replace(value, elements=tuple(map(free, elements)))
        case Items(elements) if elements is not None:
            return Items(tuple(map(free, elements)))
        case Entries(known, rest):
            return Entries(tuple((key, free(part)) for key, part in known), rest)
        case _:
            return value


def _elements(value: Value) -> Collection[Value]:
    match value:
        case TupleValue(elements) | Items(elements):
            return elements or ()
        case Entries(known):
            return [part for _, part in known]
        case _:
            return ()
