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
    key = _cell(machine, source, frame)
    if key is not None and key != target:
        machine.copied.setdefault(key, {})[target] = None


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
    """The cells that were given what an expression reads: those noted, and the variables under
    whose names the callers handed it on.
    """
    first = _cell(machine, source, frame)
    if first is None:
        return []
    found: dict[Key, None] = {first: None}
    if isinstance(source, nodes.Name):
        name, at = source.identifier, frame
        while name in at.handed and at.caller is not None:
            _, place = at.handed[name]
            name, at = place.identifier, at.caller
            scope = bound_in(machine, name, at)
            if scope is not None:
                found[scope, name] = None
    waiting = list(found)
    while waiting:
        current = waiting.pop()
        held = machine.store.get(current)
        inside = ((held, CONTENT),) if isinstance(held, HeapObject) else ()
        for key in (*machine.copied.get(current, ()), *inside):
            if key not in found:
                found[key] = None
                waiting.append(key)
    return [key for key in found if key != first]


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
