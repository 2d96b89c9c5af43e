"""Aliases: variables and containers that hold the very array that another variable holds."""

from typing import ClassVar

from oakum.values.records import dataclass, field
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.moments import Guest, Moments
from oakum_lint.domain.names import binding_scope, bound_in, look_up
from oakum_lint.domain.store import CONTENT, Key
from oakum_lint.domain.values import (
    Array,
    External,
    HeapObject,
    TupleValue,
    Value,
)
from oakum_lint.models.packages import function_of_method
from oakum_lint.syntax import nodes


@dataclass(slots=True)
class Copies:
    """Which cells hold the same array, as far as that was noted."""

    untracked: ClassVar = frozenset({"matter"})
    """It saves to look for donated arrays where there are none."""
    groups: dict[Key, dict[Key, None]] = field(default_factory=dict[Key, dict[Key, None]])
    """The variables and containers that hold the same array, by each variable of them."""
    matter: bool = False
    """Whether it matters which array it is: some are donated."""


def _note_copy(machine: Machine, source: nodes.Node, target: Key, frame: Frame) -> None:
    """Notes that a variable or a container now holds the value of a variable, an attribute or an
    item.
    """
    if frame.level:
        return
    keys = _cells(machine, source, frame)
    if not keys or keys[0] == target:
        return
    recorder = machine.recorder
    if recorder is not None and len(keys) > 1 and target[0].uid < recorder.start:
        recorder.lapses.add(_matter)
    copied = machine.state_of(Copies).groups
    group = copied.setdefault(keys[0], {keys[0]: None})
    for key in keys[1:]:
        group[key] = None
        copied.setdefault(key, group)
    group[target] = None
    if target[1] != CONTENT:
        copied[target] = group


def _matter(machine: Machine) -> bool:
    """Whether which array it is that something holds is of account by now."""
    return machine.state_of(Copies).matter


def _note_stored(
    machine: Machine,
    owner: HeapObject,
    _value: Value,
    how: str,
    source: nodes.Node | None,
    frame: Frame,
    _node: nodes.Node,
) -> None:
    if how == "append" and source is not None:
        _note_copy(machine, source, (owner, CONTENT), frame)


def _note_copies(
    machine: Machine, target: nodes.Expression, source: nodes.Expression, frame: Frame
) -> None:
    """Notes which arrays an assignment stores in variables, an attribute or a container."""
    if frame.level:
        return
    match target, source:
        case nodes.Display(elements=targets), nodes.Display(elements=sources) if len(
            targets
        ) == len(sources):
            for part, each in zip(targets, sources, strict=True):
                _note_stored_in(machine, part, each, frame)
        case _:
            _note_stored_in(machine, target, source, frame)


def _note_stored_in(
    machine: Machine, target: nodes.Expression, source: nodes.Expression, frame: Frame
) -> None:
    match target:
        case nodes.Name(identifier=name):
            key: Key = (binding_scope(machine, name, frame), name)
        case nodes.Attribute(value=nodes.Name(identifier=name), attribute=attribute):
            owner = look_up(machine, name, frame)
            if not isinstance(owner, HeapObject):
                return
            key = (owner, attribute)
        case nodes.Subscript(value=nodes.Name(identifier=name)):
            owner = look_up(machine, name, frame)
            if not isinstance(owner, HeapObject):
                return
            key = (owner, CONTENT)
        case _:
            return
    match source:
        case nodes.Display(elements=parts) | nodes.DictDisplay(values=parts):
            pass
        case _:
            parts = (source,)
    for part in parts:
        _note_copy(machine, _handed_through(machine, part, key, frame), key, frame)


def _handed_through(
    machine: Machine, source: nodes.Expression, target: Key, frame: Frame
) -> nodes.Expression:
    """What a function of JAX has got that hands an array back where it is what it should become
    (`jnp.asarray(x)`), and that a variable holds now; else the expression itself.
    """
    if not isinstance(source, nodes.Call):
        return source
    match source.function:
        case nodes.Attribute(value=owner):
            operands = (owner, *source.arguments[:1])
        case _:
            operands = source.arguments[:1]
    held = machine.store.get(target)
    for operand in operands if isinstance(held, Array) else ():
        cell = _cell(machine, operand, frame)
        if cell is not None and machine.store.get(cell) is held:
            return operand if _hands_through(machine, source.function, operand, frame) else source
    return source


def _hands_through(
    machine: Machine, function: nodes.Expression, operand: nodes.Expression, frame: Frame
) -> bool:
    """Whether a function, or the one that a method of its operand stands for, may return that."""
    match function:
        case nodes.Attribute(value=owner, attribute=name) if owner is operand:
            path = function_of_method(name)
        case _:
            called = machine.look(function, frame)
            path = called.path if isinstance(called, External) else ""
    declared = machine.public(path)
    return declared is not None and bool(declared.hands_through)


def _note_elements(
    machine: Machine, iterable: nodes.Expression, target: nodes.Expression, frame: Frame
) -> None:
    """Notes that the variables of a loop hold the items of the containers that it iterates over."""
    pending: list[tuple[nodes.Expression, nodes.Expression]] = [(iterable, target)]
    while pending:
        match pending.pop():
            case (nodes.Name() | nodes.Attribute() as source, nodes.Name(identifier=name)):
                _note_copy(machine, source, (binding_scope(machine, name, frame), name), frame)
            case nodes.Call(function=function, arguments=sources), part:
                pending.extend(_sources(function, sources, part))
            case _:
                pass


def _sources(
    function: nodes.Expression, arguments: tuple[nodes.Expression, ...], target: nodes.Expression
) -> list[tuple[nodes.Expression, nodes.Expression]]:
    """The containers whose elements a call returns one by one, and the variables that get them."""
    match function, target:
        case nodes.Attribute(value=source, attribute="values"), _:
            return [(source, target)]
        case nodes.Attribute(value=source, attribute="items"), nodes.Display(elements=(_, one)):
            return [(source, one)]
        case nodes.Name(identifier="enumerate"), nodes.Display(elements=(_, one)):
            return [(source, one) for source in arguments[:1]]
        case nodes.Name(identifier="zip"), nodes.Display(elements=parts):
            return list(zip(arguments, parts, strict=False))
        case _:
            return []


def _forget_copy(machine: Machine, target: Key, _frame: Frame) -> None:
    """Notes that a variable is bound to another value."""
    group = machine.state_of(Copies).groups.pop(target, None)
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
        while name in at.called.handed and at.caller is not None:
            name, at = at.called.handed[name][1].identifier, at.caller
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
            scope = bound_in(machine, name, frame) if isinstance(owner, TupleValue) else None
            if scope is not None:
                return (scope, name)
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
            found.update(machine.state_of(Copies).groups.get(start, {}))
    for key in [*found]:
        held = machine.store.get(key)
        if isinstance(held, HeapObject):
            found[held, CONTENT] = None
    return [key for key in found if key not in cells[:1]]


def alike(machine: Machine, cell: Key) -> list[Key]:
    """The other cells that hold what a cell holds, as far as that was noted."""
    return [key for key in machine.state_of(Copies).groups.get(cell, ()) if key != cell]


def is_copy(machine: Machine, source: nodes.Node, other: nodes.Node, frame: Frame) -> bool:
    """Whether another expression reads what an expression reads, as far as that was noted."""
    cell = _cell(machine, other, frame)
    return cell is not None and cell in copies_of(machine, source, frame)


GUEST = Guest(
    "aliases",
    Moments(
        bound=(_forget_copy,),
        assigned=(_note_copies,),
        stored=(_note_stored,),
        item_bound=(_note_elements,),
    ),
)
