"""What code that is not seen may change: functions that it gets, or members by names that are not
known, are called at some time, so that what they write is not known from then on.

What a function writes is read off its syntax: it is not run, as what it gets is not known.
"""

from collections.abc import Iterable, Iterator
from typing import ClassVar

from oakum.values.records import dataclass, field
from oakum_lint.domain.callables import (
    BoundMethod,
    ClassValue,
    FunctionValue,
    Method,
    ModuleValue,
    Partial,
    Scope,
    Transformed,
    UnknownMember,
)
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.look_ups import class_attribute, container_in
from oakum_lint.domain.project import Module
from oakum_lint.domain.reachability import all_in
from oakum_lint.domain.store import CONTENT
from oakum_lint.domain.values import UNKNOWN, Entries, HeapObject, Items, Value
from oakum_lint.models.mutation import CHANGES, SAYS_CHANGING
from oakum_lint.python.objects.access_paths import is_managed
from oakum_lint.syntax import nodes
from oakum_lint.syntax.module import UnitFacts
from oakum_lint.syntax.reading import WHOLE, note_span
from oakum_lint.syntax.walk import walk

Path = tuple[str, ...]
"""A name, and attributes of what it stands for."""
Definition = nodes.FunctionDefinition | nodes.Lambda
MAX_FUNCTIONS = 1024
"""So many functions are looked at for one call."""


@dataclass(slots=True)
class Writes:
    """What the text of a function writes outside it."""

    own: set[str] = field(default_factory=set[str])
    """Its parameters, and the names that it binds itself."""
    variables: set[str] = field(default_factory=set[str])
    contents: set[Path] = field(default_factory=set[Path])
    """Containers that are changed."""
    attributes: set[Path] = field(default_factory=set[Path])
    calls: set[Path] = field(default_factory=set[Path])


@dataclass(slots=True)
class KnownWrites:
    """What functions write, looked for once: the same ones get into unknown hands over and over."""

    forgotten: ClassVar = True
    by_definition: dict[int, Writes] = field(default_factory=dict[int, Writes])
    by_class: dict[int, bool] = field(default_factory=dict[int, bool])
    """Whether methods of a class write elsewhere."""


@dataclass(frozen=True, slots=True)
class Called:
    """A function that may be called, where its names are looked up, and its first argument."""

    definition: Definition
    unit: UnitFacts
    scope: Scope
    receiver: Value | None


def forget_writes(machine: Machine, called: Iterable[Value], first: Value | None = None) -> None:
    """Forgets what the functions among some values write, and those that they call; `first` is what
    they get as their first argument, where that is known.
    """
    pending = [each for value in called for each in _functions_of(machine, value, first)]
    for each, writes in _reached(machine, pending):
        for name in writes.variables:
            scope = _scope_around(machine, each.scope, name)
            if scope is not None:
                machine.write(scope, name, UNKNOWN)
        for path in writes.contents:
            forget_content(machine, _at(machine, each, writes, path))
        for path in writes.attributes:
            _forget_attribute(machine, _at(machine, each, writes, path[:-1]), path[-1])


def writes_elsewhere(machine: Machine, cls: ClassValue) -> bool:
    """Whether methods of a class write anything but attributes of their own objects."""
    known = machine.state_of(KnownWrites).by_class
    found = known.get(cls.uid)
    if found is None:
        methods = [*_methods_of(machine, cls, None, special=True)]
        found = known[cls.uid] = any(
            writes.variables
            or any(path[0] not in writes.own for path in (*writes.contents, *writes.attributes))
            for _, writes in _reached(machine, methods)
        )
    return found


def _reached(machine: Machine, pending: list[Called]) -> Iterator[tuple[Called, Writes]]:
    """Yields functions and those that they call, with what each writes."""
    done: set[tuple[int, int]] = set()
    while pending and len(done) < MAX_FUNCTIONS:
        each = pending.pop()
        key = id(each.definition), id(each.receiver)
        if key in done:
            continue
        done.add(key)
        writes = _writes_of(machine, each)
        yield each, writes
        for path in writes.calls:
            owner = _at(machine, each, writes, path[:-1]) if path[1:] else None
            found = _at(machine, each, writes, path)
            if found is not None:
                pending.extend(_functions_of(machine, found, owner))


def forget_content(machine: Machine, value: Value | None) -> None:
    """Elements may have been added to a container, replaced in it, or taken from it."""
    match value:
        case HeapObject(kind="list" | "set" | "deque"):
            machine.write(value, CONTENT, Items(None))
        case HeapObject(kind="dict"):
            machine.write(value, CONTENT, Entries((), UNKNOWN))
        case HeapObject(kind="instance"):
            forget_content(machine, container_in(machine, value))
        case _:
            pass


def _forget_attribute(machine: Machine, owner: Value | None, name: str) -> None:
    match owner:
        case HeapObject(kind="instance") if not is_managed(owner):
            machine.write(owner, name, UNKNOWN)
        case ClassValue(body=scope) | ModuleValue(module=Module(scope=scope)):
            machine.write(scope, name, UNKNOWN)
        case _:
            pass


# --- which functions --------------------------------------------------------------------------


def _functions_of(machine: Machine, value: Value, first: Value | None) -> Iterator[Called]:
    """Yields the functions that a call of a value may run; what they write elsewhere is not found
    before.
    """
    for held in all_in(value):
        match held:
            case FunctionValue():
                yield Called(held.definition, held.unit, held.scope, first)
            case BoundMethod(FunctionValue() as function, receiver):
                yield Called(function.definition, function.unit, function.scope, receiver)
            case Partial(function) | Transformed(function=function):
                yield from _functions_of(machine, function, first)
            case Method(receiver, name) if name in CHANGES:
                forget_content(machine, receiver)
            case (
                HeapObject(kind="instance", cls=ClassValue() as cls)
                | (ClassValue() as cls)
                | UnknownMember(owner=HeapObject(cls=ClassValue() as cls), inherited=True)
            ):
                # What becomes of the object itself, the gate of what is proved knows.
                yield from _methods_of(machine, cls, None, special=True)
            case UnknownMember(owner=HeapObject(cls=ClassValue() as cls) as owner):
                yield from _methods_of(machine, cls, owner)
            case UnknownMember(owner=ClassValue() as cls):
                yield from _methods_of(machine, cls, first)
            case UnknownMember(owner=ModuleValue(module)):
                yield from _definitions_of(module)
            case _:
                pass


def _methods_of(
    machine: Machine, cls: ClassValue, receiver: Value | None, *, special: bool = False
) -> Iterator[Called]:
    for current in cls.order:
        if not isinstance(current, ClassValue):
            continue
        for name in sorted(machine.store.names_of(current.body)):
            held = machine.read(current.body, name)
            if isinstance(held, FunctionValue) and (special or not name.startswith("__")):
                yield Called(held.definition, held.unit, held.scope, receiver)


def _definitions_of(module: Module) -> Iterator[Called]:
    """Yields the functions that a module defines, and its classes' initialisers, as far as their
    text changes anything; they need not have run.
    """
    for unit in module.facts.units_that_say(SAYS_CHANGING):
        if unit.kind != "definition":
            continue
        note_span(unit, 0, WHOLE)
        for statement in unit.body:
            match statement:
                case nodes.FunctionDefinition():
                    yield Called(statement, unit, module.scope, None)
                case nodes.ClassDefinition(body=body):
                    for member in body:
                        if isinstance(member, nodes.FunctionDefinition):
                            yield Called(member, unit, module.scope, None)
                case _:
                    pass


# --- what they write --------------------------------------------------------------------------


def _writes_of(machine: Machine, called: Called) -> Writes:
    definition = called.definition
    note_span(called.unit, definition.start, definition.end)
    known = machine.state_of(KnownWrites).by_definition
    writes = known.get(id(definition))
    if writes is None:
        writes = known[id(definition)] = Writes()
        writes.own.update(each.name for each in definition.parameters.items)
        for node in walk((definition,)):
            _add(writes, node)
        writes.own -= writes.variables
    return writes


def _add(writes: Writes, node: nodes.Node) -> None:
    """Adds what a part of a function writes."""
    match node:
        case nodes.ScopeDeclaration(names=names):
            writes.variables.update(names)
        case nodes.Assignment(targets=targets) | nodes.Delete(targets=targets):
            for target in targets:
                _add_target(writes, target)
        case nodes.AugmentedAssignment(target=target) | nodes.AnnotatedAssignment(target=target):
            _add_target(writes, target)
        case nodes.For(target=target):
            _add_target(writes, target)
        case nodes.Call(function=function):
            match function:
                case nodes.Attribute(value=owner, attribute=name) if name in CHANGES:
                    path, _ = _path(owner)
                    if path:
                        writes.contents.add(path)
                case _:
                    path, inside = _path(function)
                    if path and not inside:
                        writes.calls.add(path)
        case _:
            pass


def _add_target(writes: Writes, target: nodes.Expression) -> None:
    match target:
        case nodes.Display(elements=elements):
            for element in elements:
                _add_target(writes, element)
        case nodes.Starred(value=value):
            _add_target(writes, value)
        case nodes.Name(identifier=name):
            writes.own.add(name)
        case nodes.Subscript(value=owner):
            path, _ = _path(owner)
            if path:
                writes.contents.add(path)
        case nodes.Attribute(value=owner, attribute=name):
            path, inside = _path(owner)
            if path and inside:
                writes.contents.add(path)
            elif path:
                writes.attributes.add((*path, name))
        case _:
            pass


def _path(node: nodes.Expression) -> tuple[Path, bool]:
    """The path to an object, or to the container that it is in, and whether it is in one; empty
    where it has none.
    """
    names: list[str] = []
    inside = False
    while True:
        match node:
            case nodes.Attribute(value=owner, attribute=name):
                names.append(name)
                node = owner
            case nodes.Subscript(value=owner):
                names.clear()
                inside = True
                node = owner
            case nodes.Name(identifier=name):
                return (name, *reversed(names)), inside
            case _:
                return (), inside


def _at(machine: Machine, called: Called, writes: Writes, path: Path) -> Value | None:
    """What stands at a path in a function, where that is known."""
    root, *attributes = path
    parameters = called.definition.parameters.items
    value: Value | None = None
    if parameters and root == parameters[0].name:
        value = called.receiver
    elif root not in writes.own:
        scope = _scope_around(machine, called.scope, root)
        module = called.scope.module
        if scope is not None:
            value = machine.read(scope, root)
        elif module.binders(root):
            value = machine.load_name(module, root)
    for name in attributes:
        match value:
            case HeapObject(kind="instance"):
                held = machine.read(value, name)
                if held is None and value.cls is not None:
                    held = class_attribute(machine, value.cls, name)
                value = held
            case ClassValue():
                value = class_attribute(machine, value, name)
            case ModuleValue(module):
                value = machine.read(module.scope, name)
            case _:
                return None
    return value


def _scope_around(machine: Machine, scope: Scope | None, name: str) -> Scope | None:
    """The scope whose binding of a name a function in this one sees."""
    while scope is not None:
        if scope.kind != "class" and machine.read(scope, name) is not None:
            return scope
        scope = scope.parent
    return None
