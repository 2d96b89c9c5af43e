"""What code that is not seen may change: functions that it gets, or members by names that are not
known, are called at some time, so that what they write is not known from then on.

What a function writes is read off its syntax: it is not run, as what it gets is not known.
"""

from collections.abc import Iterable, Iterator, Sequence
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
    Wrapper,
)
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.look_ups import class_attribute, container_in
from oakum_lint.domain.project import Module
from oakum_lint.domain.reachability import all_in, held_in
from oakum_lint.domain.store import CONTENT, Key
from oakum_lint.domain.summaries.bases import Basis, MoreNames, noted, rests_still
from oakum_lint.domain.values import (
    UNKNOWN,
    Entries,
    HeapObject,
    Items,
    Mark,
    TupleValue,
    Value,
)
from oakum_lint.models.mutation import CHANGES, SAYS_CHANGING
from oakum_lint.python.objects.access_paths import is_managed
from oakum_lint.python.objects.written_paths import Definition, Path, Writes, writes_of
from oakum_lint.syntax import nodes
from oakum_lint.syntax.module import UnitFacts
from oakum_lint.syntax.reading import WHOLE, keeping, note_span, note_written

MAX_FUNCTIONS = 1024
"""So many functions are looked at for one call."""


@dataclass(frozen=True, slots=True)
class Called:
    """A function that may be called, where its names are looked up, and its first argument."""

    definition: Definition
    unit: UnitFacts
    scope: Scope
    receiver: Value | None
    holder: HeapObject | ClassValue | None = None
    """What it is a method of, where what it writes of that is not looked for."""


@dataclass(frozen=True, slots=True)
class Effect:
    """What a call of a function writes, with all that it calls, as long as what it read is the
    same.
    """

    called: Called
    """Kept alive: effects are known by the identity of its parts."""
    basis: Basis
    written: dict[Key, Value]


@dataclass(frozen=True, slots=True)
class Callees:
    """The functions that one calls, as long as what was read to find them is the same."""

    caller: Called
    """Kept alive, as that of an effect."""
    basis: Basis
    called: tuple[Called, ...]


@dataclass(slots=True)
class KnownWrites:
    """What functions write, looked for once: the same ones get into unknown hands over and over, as
    a recursion that is not followed any deeper. To go through all that they call each time was 54%
    of a check of pyRDDLGym-jax and 10% of one of Flax.
    """

    forgotten: ClassVar = True
    by_class: dict[tuple[int, ...], tuple[bool, Basis]] = field(
        default_factory=dict[tuple[int, ...], tuple[bool, Basis]]
    )
    """Whether methods of a class write elsewhere, whose objects hold those of some classes."""
    by_call: dict[tuple[int, ...], Effect] = field(default_factory=dict[tuple[int, ...], Effect])
    by_caller: dict[tuple[int, ...], Callees] = field(
        default_factory=dict[tuple[int, ...], Callees]
    )


def forget_writes(machine: Machine, called: Iterable[Value], first: Value | None = None) -> None:
    """Forgets what the functions among some values write, and those that they call; `first` is what
    they get as their first argument, where that is known.
    """
    for value in called:
        for each in _functions_of(machine, value, first):
            _forget_effect(machine, each)


def _forget_effect(machine: Machine, called: Called) -> None:
    """Forgets what one function writes, and those that it calls."""
    known = machine.state_of(KnownWrites).by_call
    key = _identity(called)
    effect = known.get(key)
    if effect is not None and rests_still(machine, effect.basis):
        for (owner, name), value in effect.written.items():
            machine.write(owner, name, value)
        return
    with noted(machine) as basis:
        _follow(machine, called)
    if basis.is_lasting:
        written: dict[Key, Value] = {}
        for cell in basis.recorder.writes:
            value = machine.store.get(cell)
            if value is not None:
                written[cell] = value
        known[key] = Effect(called, basis, written)


def _identity(called: Called) -> tuple[int, ...]:
    return id(called.definition), called.scope.uid, id(called.receiver), id(called.holder)


def _follow(machine: Machine, called: Called) -> None:
    """Forgets what a function and those that it calls write."""
    for each, writes in _reached(machine, [called]):
        for name in writes.variables:
            scope = _scope_around(machine, each.scope, name)
            if scope is not None:
                machine.write(scope, name, UNKNOWN)
        for path in writes.contents:
            if not _is_own(each, path):
                forget_content(machine, _at(machine, each, path))
        for path in writes.attributes:
            if not _is_own(each, path):
                _forget_attribute(machine, _at(machine, each, path[:-1]), path[-1])


def _is_own(called: Called, path: Path) -> bool:
    """Whether a path begins at the object of a method whose writes to it are not looked for: what
    becomes of it, the gate of what is proved knows.
    """
    items = called.definition.parameters.items
    return called.receiver is None and bool(items) and path[0] == items[0].name


def may_write_elsewhere(machine: Machine, owner: HeapObject, cls: ClassValue) -> bool:
    """Whether methods of an object, or functions that it holds, may write anything but attributes
    of the object itself: those of another that it holds are elsewhere.
    """
    if any(True for _ in _functions_in(machine, owner)):
        return True
    known = machine.state_of(KnownWrites).by_class
    holder = _holder(machine, owner, cls)
    parts = () if holder is cls else sorted(each.uid for each in _classes_in(machine, owner))
    key = (cls.uid, *parts)
    found, basis = known.get(key, (False, None))
    if basis is not None and rests_still(machine, basis):
        return found
    with noted(machine) as basis:
        methods = [*_methods_of(machine, cls, None, special=True, holder=holder)]
        found = any(
            writes.variables
            or any(
                called.receiver is not None or path[0] not in writes.own
                for path in (*writes.contents, *writes.attributes)
            )
            for called, writes in _reached(machine, methods)
        )
    if basis.is_lasting:
        known[key] = found, basis
    return found


def _reached(machine: Machine, pending: list[Called]) -> Iterator[tuple[Called, Writes]]:
    """Yields functions and those that they call, with what each writes."""
    done: set[tuple[int, ...]] = set()
    while pending and len(done) < MAX_FUNCTIONS:
        each = pending.pop()
        key = id(each.definition), id(each.receiver), id(each.holder)
        if key in done:
            continue
        done.add(key)
        writes = _writes_of(each)
        yield each, writes
        if writes.calls or writes.taken_from:
            pending.extend(_callees(machine, each, writes))


def _callees(machine: Machine, caller: Called, writes: Writes) -> Iterable[Called]:
    """The functions that one calls; looked for once, as all that reach it go through it: of 66,000
    that a check of Flax goes through 58,000 had been before.
    """
    known = machine.state_of(KnownWrites).by_caller
    key = _identity(caller)
    kept = known.get(key)
    if kept is not None and rests_still(machine, kept.basis):
        return kept.called
    with noted(machine) as basis:
        found = tuple(_called_in(machine, caller, writes))
    if basis.is_lasting and not basis.recorder.writes:
        known[key] = Callees(caller, basis, found)
    return found


def _called_in(machine: Machine, caller: Called, writes: Writes) -> Iterator[Called]:
    """Yields the functions that one calls, by the paths that stand in it."""
    for path in writes.calls:
        owner = _at(machine, caller, path[:-1]) if path[1:] else None
        found = _at(machine, caller, path)
        if found is not None:
            yield from _run_by(machine, found, owner)
    for path in writes.taken_from:
        for held in _held_in(machine, _at(machine, caller, path)):
            yield from _run_by(machine, held, None)


def _run_by(machine: Machine, called: Value, first: Value | None) -> Iterator[Called]:
    """Yields the functions that a call runs which stands in a function; an object that is called
    itself changes.
    """
    match called:
        case HeapObject(kind="instance", cls=ClassValue() as cls):
            method = class_attribute(machine, cls, "__call__")
            yield from _functions_of(machine, called if method is None else method, called)
        case _:
            yield from _functions_of(machine, called, first)


def _held_in(machine: Machine, container: Value | None) -> Sequence[Value]:
    """What a container holds, as far as that is known."""
    held = None if container is None else container_in(machine, container) or container
    match held:
        case HeapObject():
            content = machine.read(held, CONTENT)
            return () if content is None else held_in(content)
        case TupleValue():
            return held_in(held)
        case _:
            return ()


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
    pending, asked = [(value, first)], set[int]()
    while pending:
        value, first = pending.pop()
        for held in all_in(value):
            match held:
                case FunctionValue():
                    yield Called(held.definition, held.unit, held.scope, first)
                case BoundMethod(FunctionValue() as function, receiver):
                    yield Called(function.definition, function.unit, function.scope, receiver)
                case Partial(function) | Transformed(function=function):
                    pending.append((function, first))
                case Method(receiver, name) if name in CHANGES:
                    forget_content(machine, receiver)
                case HeapObject(kind="instance", cls=ClassValue() as cls) | (ClassValue() as cls):
                    yield from _methods_of(machine, cls, None, special=True, holder=cls)
                case UnknownMember(owner=owner, inherited=inherited):
                    yield from _members_of(machine, owner, first, inherited=inherited)
                    if inherited and isinstance(owner, HeapObject) and owner.uid not in asked:
                        # An object may hold what is made of a member of itself.
                        asked.add(owner.uid)
                        pending += [(each, None) for each in _functions_in(machine, owner)]
                case _:
                    pass


def _members_of(
    machine: Machine, owner: Value, first: Value | None, *, inherited: bool
) -> Iterator[Called]:
    """Yields the functions that may be meant by what an owner has under an unknown name, or the
    methods that one calls which it has `inherited`.
    """
    match owner:
        case HeapObject(cls=ClassValue() as cls) if inherited:
            holder = _holder(machine, owner, cls)
            yield from _methods_of(machine, cls, None, special=True, holder=holder)
        case HeapObject(cls=ClassValue() as cls):
            yield from _methods_of(machine, cls, owner)
        case ClassValue():
            yield from _methods_of(machine, owner, first)
        case ModuleValue(module):
            yield from _definitions_of(module)
        case _:
            pass


def _functions_in(machine: Machine, owner: HeapObject) -> Iterator[Value]:
    """Yields the functions that an object holds itself: methods of a base may call them."""
    for held in _attributes_of(machine, owner):
        if isinstance(held, FunctionValue | BoundMethod | Partial | Transformed):
            yield held


def _classes_in(machine: Machine, owner: HeapObject) -> Iterator[ClassValue]:
    """Yields the classes of the objects that an object holds: its methods may call theirs."""
    for held in _attributes_of(machine, owner):
        if isinstance(held, HeapObject) and isinstance(held.cls, ClassValue):
            yield held.cls


def _holder(machine: Machine, owner: Value, cls: ClassValue) -> HeapObject | ClassValue:
    """An object, if it holds more than its class says, else the class, which all of them share."""
    if isinstance(owner, HeapObject) and any(True for _ in _classes_in(machine, owner)):
        return owner
    return cls


def _attributes_of(machine: Machine, owner: HeapObject) -> Iterator[Value]:
    for name in _names_in(machine, owner):
        if not isinstance(machine.store.get((owner, name)), Mark):
            held = machine.read(owner, name)
            if held is not None:
                yield held


def _names_in(machine: Machine, owner: Scope | HeapObject) -> list[str]:
    """The names of a class or an object, on any path; what is remembered of the running call rests
    on that there are no more.
    """
    names = [*machine.store.listed(owner)]
    if machine.recorder is not None:
        machine.recorder.lapses.add(MoreNames(owner, len(names)))
    return names


def _methods_of(
    machine: Machine,
    cls: ClassValue,
    receiver: Value | None,
    *,
    special: bool = False,
    holder: HeapObject | ClassValue | None = None,
) -> Iterator[Called]:
    for current in cls.order:
        if not isinstance(current, ClassValue):
            continue
        for name in sorted(_names_in(machine, current.body)):
            held, first = machine.read(current.body, name), receiver
            while isinstance(held, Wrapper | Transformed):
                first = None if isinstance(held, Wrapper) else first
                held = held.function
            if isinstance(held, FunctionValue) and (special or not name.startswith("__")):
                yield Called(held.definition, held.unit, held.scope, first, holder)


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


def _writes_of(called: Called) -> Writes:
    definition, kept = called.definition, called.unit.read_off
    if isinstance(definition, nodes.FunctionDefinition):
        note_written(definition)
    else:
        note_span(called.unit, definition.start, definition.end)
    writes = kept.get(id(definition))
    if not isinstance(writes, Writes):
        with keeping(None):  # noted above
            writes = kept[id(definition)] = writes_of(definition)
    return writes


def _at(machine: Machine, called: Called, path: Path) -> Value | None:
    """What stands at a path in a function, where that is known."""
    root, *attributes = path
    parameters = called.definition.parameters.items
    value: Value | None = None
    if parameters and root == parameters[0].name:
        value = called.receiver or (called.holder if attributes else None)
    else:
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
