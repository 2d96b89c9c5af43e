"""Objects and variables that code which is not known has got hold of, and may change.

What escapes is marked in the store, so that the mark goes the way of the object: through branches,
and with what a remembered call has made.
"""

from collections.abc import Iterator, Sequence
from typing import ClassVar

from oakum.values.records import dataclass, field
from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.callables import (
    BoundMethod,
    ClassValue,
    FunctionValue,
    Method,
    ModuleValue,
    Partial,
    Scope,
    Site,
    Transformed,
)
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.look_ups import class_attribute, entries_of
from oakum_lint.domain.moments import Guest, Moments
from oakum_lint.domain.reachability import all_in, functions_in
from oakum_lint.domain.values import (
    Constant,
    External,
    HeapObject,
    Mark,
    Unknown,
    Value,
)
from oakum_lint.models.mutation import (
    ATTRIBUTES,
    JIT_OPTION,
    MODULES,
    NAMESPACES,
    OWN_ATTRIBUTES,
    SUBCLASSES,
    UPDATES,
    UPDATES_OPTION,
    VARIABLES,
    calls_back,
    calls_on_host,
    leaves_arguments_alone,
)
from oakum_lint.python.objects.written_paths import names_around
from oakum_lint.syntax import nodes
from oakum_lint.syntax.module import UnitFacts
from oakum_lint.syntax.reading import keeping, note_span, note_written
from oakum_lint.syntax.walk import walk
from oakum_lint.text.names import DECLARES_SCOPE

ESCAPED = "\0escaped"
"""The name of the cell with the mark; no attribute can have it."""
MAX_ESCAPES = 64
"""So many objects are marked for one call: what lies deeper is rarely looked at."""


@dataclass(frozen=True, slots=True)
class Escape(Mark):
    """Where an object has come into the hands of code that is not known."""

    site: Site = field(compare=False)

    def joined(self, other: Mark) -> "Mark | None":
        """An object that has escaped on either path has."""
        return self

    def over(self, before: Value | None) -> Value:
        """What has escaped has done so where it did first."""
        return before if isinstance(before, Escape) else self


@dataclass(slots=True)
class Escapes:
    """What escapes beside objects."""

    variables: dict[tuple[Scope, str], Site] = field(default_factory=dict[tuple[Scope, str], Site])
    """Variables that a function assigns which has escaped."""
    namespaces: dict[Scope, Site] = field(default_factory=dict[Scope, Site])
    """Modules of which any name may be bound, and why: where."""
    modules: dict[Scope, Site] = field(default_factory=dict[Scope, Site])
    """Modules that code which is not known gets, and where: it may bind their names, and register
    their classes."""
    calls: dict[UnitFacts, dict[tuple[int, int], Site]] = field(
        default_factory=dict[UnitFacts, dict[tuple[int, int], Site]]
    )
    """Where objects have escaped, in each unit."""
    unjitted: Site | None = None
    """Where the program turns compilation off."""


@dataclass(slots=True)
class Around:
    """The names around functions of modules, looked for once: of flax and optax 1,800 functions get
    11,000 times into unknown hands.
    """

    forgotten: ClassVar = True
    since: int = 0
    """When a lasting name was last bound again."""
    names: dict[int, tuple[str, ...]] = field(default_factory=dict[int, tuple[str, ...]])
    """By the identities of the functions' definitions."""


@dataclass(slots=True)
class Methods:
    """The methods of classes, looked for once: of lerax objects get 760 times into unknown hands,
    and looking took 15% of a check.
    """

    forgotten: ClassVar = True
    by_class: dict[int, tuple[FunctionValue, ...]] = field(
        default_factory=dict[int, tuple[FunctionValue, ...]]
    )


def escape_of(machine: Machine, owner: HeapObject | Scope) -> Site | None:
    """Where an object, or the class of a body, has escaped, if it has."""
    mark = machine.read(owner, ESCAPED)
    return mark.site if isinstance(mark, Escape) else None


def _is_kept(machine: Machine, value: HeapObject) -> bool:
    """Whether an object has not escaped yet. That it has not is nothing on which what is done with
    it depends: a call that lets it go leaves it so where an earlier one has.
    """
    return machine.store.get((value, ESCAPED)) is None or escape_of(machine, value) is None


def _let_go(machine: Machine, values: Sequence[Value], site: Site) -> None:
    """Marks all that values hold: what gets them may change it, and call their functions outside
    every trace.
    """
    # With each value, whether it is called as it is: what a transform has wrapped is not.
    stack, seen = [(value, True) for value in values], 0
    mark = Escape(site)
    done: set[HeapObject] = set()
    entered: set[int] = set()
    while stack and seen < MAX_ESCAPES:
        held, is_called = stack.pop()
        for value in all_in(held):
            seen += 1
            match value:
                case HeapObject() if value not in done and _is_kept(machine, value):
                    done.add(value)
                    stack.extend((part, True) for part in _mark_object(machine, value, mark))
                case ClassValue() | ModuleValue():
                    _mark_namespace(machine, value, mark)
                case BoundMethod(function) | Partial(function):
                    stack.append((function, is_called))
                case Transformed(function=function):
                    stack.append((function, False))
                case FunctionValue(definition=definition):
                    if is_called:
                        machine.known.working.add(value)
                    if id(definition) not in entered:
                        entered.add(id(definition))
                        captured = _captured(machine, value, site)
                        stack.extend((each, True) for each in captured)
                case _:
                    pass


def _mark_namespace(machine: Machine, value: ClassValue | ModuleValue, mark: Escape) -> None:
    """Marks a class, which may be registered as a pytree or get other methods, or a module."""
    if isinstance(value, ModuleValue):
        machine.state_of(Escapes).modules.setdefault(value.module.scope, mark.site)
    elif escape_of(machine, value.body) is None:
        machine.write(value.body, ESCAPED, mark)


def _mark_object(machine: Machine, value: HeapObject, mark: Escape) -> list[Value]:
    """Marks an object, and returns what it holds."""
    parts = [held for _, held in machine.store.held_by(value)]
    if isinstance(value.cls, ClassValue):
        _note_methods(machine, value.cls)
    machine.write(value, ESCAPED, mark)
    site = mark.site
    machine.state_of(Escapes).calls.setdefault(site.unit, {})[site.start, site.end] = site
    return parts


def _note_methods(machine: Machine, cls: ClassValue) -> None:
    """Notes that who has an object of a class may call its methods outside every trace."""
    known = machine.state_of(Methods).by_class
    methods = known.get(cls.uid)
    if methods is None:
        bodies = [each.body for each in cls.order if isinstance(each, ClassValue)]
        held = [machine.store.get((b, name)) for b in bodies for name in machine.store.names_of(b)]
        methods = known[cls.uid] = tuple(functions_in(each for each in held if each is not None))
    for method in methods:
        machine.known.working.add(method)


def _captured(machine: Machine, function: FunctionValue, site: Site) -> list[Value]:
    """The objects around a function that it may change when it is called, and the functions that
    may do so for it; its `nonlocal` and `global` names are noted.
    """
    with keeping(None):  # noted with the names around it
        declared = _declared_in(function)
    for name in declared:
        scope = _scope_around(machine, function.scope, name)
        if scope is not None:
            machine.state_of(Escapes).variables.setdefault((scope, name), site)
    return _values_around(machine, function)


def _values_around(machine: Machine, function: FunctionValue) -> list[Value]:
    """The objects and functions that stand under names around a function, which it says."""
    found: list[Value] = []
    for name in _names_around(machine, function):
        scope = _scope_around(machine, function.scope, name)
        if scope is not None:
            value = machine.read(scope, name)
        elif function.module.binders(name):
            value = machine.load_name(function.module, name)
        else:
            continue
        if isinstance(value, HeapObject | FunctionValue):
            found.append(value)
    return found


def _names_around(machine: Machine, function: FunctionValue) -> Sequence[str]:
    """The names in a function under which something stands around it that may matter: not what
    nothing there binds, nor a class, a module or a library's function throughout.
    """
    definition, scope = function.definition, function.scope
    _note_asked(function)
    with keeping(None):  # noted above
        named = names_around(function.unit, definition)
    if scope.kind != "module":
        return named
    known = machine.state_of(Around)
    if known.since != machine.lasting.changed_at:
        known.since = machine.lasting.changed_at
        known.names.clear()
    names = known.names.get(id(definition))
    if names is None:
        names = tuple([name for name in named if _may_matter(machine, scope, name)])
        known.names[id(definition)] = names
    return names


def _may_matter(machine: Machine, scope: Scope, name: str) -> bool:
    value = machine.read(scope, name)
    if value is None:
        return bool(scope.module.binders(name))
    return isinstance(value, FunctionValue) or (scope, name) not in machine.lasting.keys


def _declared_in(function: FunctionValue) -> list[str]:
    """The `nonlocal` and `global` names of a function."""
    unit, definition = function.unit, function.definition
    if not unit.says(DECLARES_SCOPE, definition.start, definition.end):
        return []
    parts = (node for node in walk((definition,)) if isinstance(node, nodes.ScopeDeclaration))
    return [name for node in parts for name in node.names]


def _note_asked(function: FunctionValue) -> None:
    """Notes that it is asked what stands around a function, and what it writes there."""
    definition = function.definition
    if isinstance(definition, nodes.FunctionDefinition):
        note_written(definition)
    else:
        note_span(function.unit, definition.start, definition.end)


def _scope_around(machine: Machine, scope: Scope | None, name: str) -> Scope | None:
    while scope is not None:
        if scope.kind != "class" and machine.read(scope, name) is not None:
            return scope
        scope = scope.parent
    return None


def _hear_unknown(
    machine: Machine, _function: Value, arguments: Arguments, frame: Frame, node: nodes.Node
) -> None:
    """Something unknown gets arguments: all of them escape, and the object whose method it is."""
    passed = [*_passed_to(arguments, frame, node)]
    if isinstance(node, nodes.Call) and isinstance(node.function, nodes.Attribute):
        passed.extend(_receiver(machine, node.function, frame))
    if passed:
        _let_go(machine, passed, frame.site(node))


def _passed_to(arguments: Arguments, frame: Frame, node: nodes.Node) -> Iterator[Value]:
    """What a call gets; a module of `sys.modules` is mostly the one that calls."""
    yield from arguments.all_values()
    passed = node.arguments if isinstance(node, nodes.Call) else ()
    if any(MODULES in frame.text(argument) for argument in passed):
        yield ModuleValue(frame.module)


def _hear_unfollowed(
    machine: Machine,
    function: FunctionValue,
    passed: list[Value],
    frame: Frame,
    node: nodes.Node,
) -> None:
    """A call is not followed: what it gets escapes, and what its function finds around it."""
    _let_go(machine, [*passed, function], frame.site(node))


def _receiver(machine: Machine, method: nodes.Attribute, frame: Frame) -> list[Value]:
    """The object of which an unknown method is called, if it is no attribute that is called; of
    classes those that hand out what is derived from them.
    """
    place = method.value
    if isinstance(place, nodes.Attribute) and place.attribute == OWN_ATTRIBUTES:
        place = place.value
    elif not isinstance(place, nodes.Name):
        return []
    if not isinstance(place, nodes.Name | nodes.Attribute):
        return []
    left = machine.budget.steps
    owner = machine.look(place, frame)
    machine.budget.steps = left
    if isinstance(owner, ClassValue) and method.attribute == SUBCLASSES:
        return [owner]
    if not isinstance(owner, HeapObject) or owner.kind != "instance":
        return []
    if place is method.value and (
        machine.read(owner, method.attribute) is not None
        or owner.cls is None
        or class_attribute(machine, owner.cls, method.attribute) is not None
    ):
        return []
    return [owner]


def _hear_method(
    machine: Machine, method: Method, arguments: Arguments, frame: Frame, node: nodes.Node
) -> None:
    """A method of an object's `__dict__` sets any attribute, if what it gets is not known."""
    match node:
        case nodes.Call(
            function=nodes.Attribute(value=nodes.Attribute(value=owner, attribute=name))
        ):
            is_own = name == OWN_ATTRIBUTES
        case nodes.Call(
            function=nodes.Attribute(
                value=nodes.Call(function=nodes.Name(identifier=name), arguments=(owner,))
            )
        ):
            is_own = name == VARIABLES
        case _:
            return
    if (
        is_own
        and method.name == UPDATES
        and any(entries_of(machine, given).rest is not None for given in arguments.all_values())
    ):
        _let_go(machine, [machine.look(owner, frame)], frame.site(node))


def _hear_library(
    machine: Machine, function: External, arguments: Arguments, frame: Frame, node: nodes.Node
) -> None:
    """A library is called: of most it is not known what it does with what it gets."""
    path = function.path
    state = machine.state_of(Escapes)
    if path in NAMESPACES:
        if frame.text(node).startswith(("exec", "eval")) or not _is_read(node, frame):
            state.namespaces.setdefault(frame.module.scope, frame.site(node))
        return
    if path == UPDATES_OPTION:
        given = arguments.positional[:2]
        if len(given) == 2 and given[0] == Constant(JIT_OPTION) and given[1] != Constant(False):
            state.unjitted = state.unjitted or frame.site(node)
        return
    if path in ATTRIBUTES:
        name = arguments.get(1)
        if not isinstance(arguments.get(0), HeapObject) and MODULES in frame.text(node):
            state.namespaces.setdefault(frame.module.scope, frame.site(node))
        if not (isinstance(name, Constant) and isinstance(name.value, str)):
            _let_go(machine, arguments.positional[:1], frame.site(node))
        return
    if not leaves_arguments_alone(path) or calls_back(path):
        _let_go(machine, [*_passed_to(arguments, frame, node)], frame.site(node))


def _hear_host_library(
    machine: Machine, function: External, arguments: Arguments, _frame: Frame, _node: nodes.Node
) -> None:
    """A library of the host is called, which calls the functions that it gets, and so those that
    these call.
    """
    if not calls_on_host(function.path):
        return
    pending = [*functions_in(arguments.all_values())]
    done: set[int] = set()
    while pending and len(done) < MAX_ESCAPES:
        each = pending.pop()
        if id(each.definition) not in done:
            done.add(id(each.definition))
            machine.known.working.add(each)
            pending.extend(functions_in(_values_around(machine, each)))


def _is_read(node: nodes.Node, frame: Frame) -> bool:
    """Whether what `globals()` returns is only looked into."""
    text = frame.unit.text[node.end : node.end + 8].lstrip()
    return text.startswith(("[", ".get(", ".items", ".keys")) and "=" not in text


def _hear_attribute(
    machine: Machine, owner: Value, _name: str, value: Value, frame: Frame, node: nodes.Node
) -> None:
    """A value is stored where it is not known what holds it."""
    if isinstance(owner, Unknown | External) and not isinstance(value, Constant):
        _let_go(machine, [value], frame.site(node))


def _hear_item(
    machine: Machine, owner: Value, value: Value, frame: Frame, node: nodes.Subscript
) -> None:
    _hear_attribute(machine, owner, "", value, frame, node)


GUEST = Guest(
    "escapes",
    Moments(
        unknown_call=(_hear_unknown,),
        unfollowed=(_hear_unfollowed,),
        library_call=(_hear_library, _hear_host_library),
        method_call=(_hear_method,),
        attribute_stored=(_hear_attribute,),
        item_stored=(_hear_item,),
    ),
)
