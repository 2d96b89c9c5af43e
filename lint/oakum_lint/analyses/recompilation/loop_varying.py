"""What differs in each iteration of a loop: numbers computed from its counter, objects that
it makes, and what it does to those that were there before.
"""

from collections.abc import Iterator, Mapping
from typing import ClassVar

from oakum.values.records import dataclass, field
from oakum_lint.analyses.closed_world.sources import is_dotted
from oakum_lint.domain.callables import FunctionValue, Method, Site, Transformed
from oakum_lint.domain.frames import Frame, Loop
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.values import UNKNOWN, External, HeapObject, Value
from oakum_lint.models.host.objects import ONE_NUMBER_FOR_MANY, of_math
from oakum_lint.models.mutation import leaves_arguments_alone
from oakum_lint.syntax import nodes
from oakum_lint.syntax.reading import WHOLE, note_span
from oakum_lint.syntax.walk import walk
from oakum_lint.text.names import IDENTIFIER

ONE_TO_ONE = frozenset({"+", "-", "*", "/", "**"})
"""Operators that return different numbers for different operands, but for rare ones."""
MAX_STEPS = 32
_ITEMS = nodes.Subscript | nodes.Attribute


@dataclass(frozen=True, slots=True)
class _Code:
    """Where an expression stands: the names that differ in each iteration, and the names that the
    statements of the loop rebind; None: nobody knows.
    """

    frame: Frame
    varying: frozenset[str]
    bound: Mapping[str, nodes.Node | None]


def varies(machine: Machine, place: nodes.Node, loop: Loop, frame: Frame) -> bool:
    """Whether an expression in a loop with a counter has another value in each iteration."""
    if not loop.counters:
        return False
    pending = [(place, _code_of(machine, loop, frame))]
    for _ in range(MAX_STEPS):
        if not pending:
            return False
        node, code = pending.pop()
        if isinstance(node, nodes.Name) and node.identifier in code.varying:
            return True
        pending += _parts(machine, node, code)
    return False


def bound_in_loop(machine: Machine, name: str, loop: Loop, frame: Frame) -> nodes.Node | None:
    """What a statement of a loop, its only one that does, binds a name to in each iteration."""
    return _code_of(machine, loop, frame).bound.get(name)


def compares_functions(made: Transformed) -> bool:
    """Whether a compiled function is found again by what the functions in it hold, as Equinox does:
    a method of the same object is no other, nor a filtered transform of the same function.
    """
    return made.transform.scope == "filter"


def wraps_functions(made: Transformed) -> bool:
    """Whether what compiles makes a function of its own of the one that it gets, as NNX does: the
    same one is compiled again each time.
    """
    return made.transform.scope == "graph"


def behind_transforms(made: Transformed) -> tuple[Value, bool]:
    """What is compiled, behind other transforms too, and whether one of these makes a new function
    of it each time.
    """
    function, is_new = made.function, wraps_functions(made)
    while isinstance(function, Transformed):
        is_new = is_new or not (compares_functions(made) and compares_functions(function))
        function = function.function
    return function, is_new


def _parts(machine: Machine, node: nodes.Node, code: _Code) -> list[tuple[nodes.Node, _Code]]:
    """Returns the parts that have to vary for an expression to vary; none if that is not enough."""
    match node:
        case nodes.Name(identifier=name):
            bound = code.bound.get(name)
            return [] if bound is None else [(bound, code)]
        case nodes.BinaryOperation(operator=operator, left=left, right=right):
            sides = [side for side in (left, right) if _changes(side, code)]
            return [(sides[0], code)] if len(sides) == 1 and operator in ONE_TO_ONE else []
        case nodes.UnaryOperation(operator="-", operand=operand):
            return [(operand, code)]
        case nodes.Call(arguments=arguments, keywords=()):
            changing = [place for place, side in enumerate(arguments) if _changes(side, code)]
            if len(changing) != 1:
                return []
            result = _result_of(machine, node, changing[0], code)
            return [] if result is None else [result]
        case _:
            return []


def _result_of(
    machine: Machine, call: nodes.Call, position: int, code: _Code
) -> tuple[nodes.Node, _Code] | None:
    """Returns the part that has to vary for a call to vary by its argument at one position."""
    match machine.evaluate(call.function, code.frame):
        case External(path) if of_math(path):
            return None if path in ONE_NUMBER_FOR_MANY else (call.arguments[position], code)
        case FunctionValue(definition=nodes.FunctionDefinition() as definition) as function:
            items, last = definition.parameters.items, definition.body[-1]
            local = {p.identifier for p in walk(definition.body[:-1]) if isinstance(p, nodes.Name)}
            if position >= len(items) or items[position].name in local:
                return None
            if not isinstance(last, nodes.Return) or last.value is None:
                return None
            inside = Frame(function.scope, function.unit, function.module, None, caller=code.frame)
            return last.value, _Code(inside, frozenset({items[position].name}), {})
        case _:
            return None


def _changes(node: nodes.Node, code: _Code) -> bool:
    """Whether an iteration may change the value of an expression."""
    return any(
        isinstance(part, nodes.Name)
        and (part.identifier in code.varying or part.identifier in code.bound)
        for part in walk((node,))
    )


@dataclass(frozen=True, slots=True)
class _Bound:
    """What the statements of a loop bind: names to numbers that differ in each iteration, and all
    names, each to what its only statement says, if that is known.
    """

    stepping: frozenset[str]
    names: Mapping[str, nodes.Node | None]


@dataclass(slots=True)
class _Loops:
    """What loops bind, looked for once: each call of a compiled function in one asks for it."""

    forgotten: ClassVar = True
    known: dict[tuple[int, tuple[int, int]], _Bound] = field(
        default_factory=dict[tuple[int, tuple[int, int]], _Bound]
    )
    """By the identity of the unit, and where the loop stands in it."""


def _code_of(machine: Machine, loop: Loop, frame: Frame) -> _Code:
    """The code of a loop."""
    note_span(frame.unit, 0, WHOLE)
    known, key = machine.state_of(_Loops).known, (id(frame.unit), loop.span)
    bound = known.get(key)
    if bound is None:
        bound = known[key] = _bound_by(loop.span, frame)
    return _Code(frame, (loop.counters - bound.names.keys()) | bound.stepping, bound.names)


def _bound_by(span: tuple[int, int], frame: Frame) -> _Bound:
    """What the loop at a place binds. A number that each iteration multiplies, or adds to, is
    another in each.
    """
    varying, bound = set[str](), dict[str, nodes.Node | None]()
    for node in walk(frame.unit.body):
        if not isinstance(node, nodes.For) or (node.start, node.end) != span:
            continue
        plain = {id(each) for each in node.body}
        for each in walk(node.body):
            for name in _targets(each):
                first = id(each) in plain and name not in bound
                bound[name] = each.value if first and isinstance(each, nodes.Assignment) else None
                if first and _is_step(each):
                    varying.add(name)
                else:
                    varying.discard(name)
    return _Bound(frozenset(varying), bound)


def _is_step(statement: nodes.Node) -> bool:
    """Whether a statement makes another number of one: `rate *= 0.9`."""
    match statement:
        case nodes.AugmentedAssignment(operator=operator, value=nodes.Constant()):
            return operator.rstrip("=") in ONE_TO_ONE
        case _:
            return False


def _targets(statement: nodes.Node) -> list[str]:
    """The names that a statement binds."""
    match statement:
        case nodes.Assignment(targets=targets):
            parts = walk(targets)
        case (
            nodes.For(target=target)
            | nodes.AnnotatedAssignment(target=target)
            | nodes.AugmentedAssignment(target=target)
        ):
            parts = walk((target,))
        case _:
            return []
    return [part.identifier for part in parts if isinstance(part, nodes.Name)]


def is_of_new_object(loop: Loop, frame: Frame) -> bool:
    """Whether a method of an object that the iteration has made leads here."""
    for caller in frame.callers():
        if loop in caller.flow.loops:
            return False
        receiver = caller.called.receiver
        if isinstance(receiver, HeapObject) and receiver.uid > loop.started:
            return True
    return False


def sets_state(machine: Machine, loop: Loop, target: set[str], frame: Frame) -> bool:
    """Whether an iteration asks for what the loop binds, or calls with it, for what that does, a
    function of the project, or one that is not known: the rest of the iteration may depend on it.
    """
    if loop not in frame.flow.loops:
        return False
    for node in _statements(loop, frame):
        match node:
            case nodes.ExpressionStatement(value=nodes.Call(function=function)):
                called = machine.look(function, frame) if is_dotted(function) else UNKNOWN
                harmless = isinstance(called, External) and leaves_arguments_alone(called.path)
                named = target & {*IDENTIFIER.findall(frame.text(node))}
                if named and not harmless and not isinstance(called, Method):
                    return True
            case nodes.If(test=test) if target & {*IDENTIFIER.findall(frame.text(test))}:
                return True
            case _:
                pass
    return False


def names_read(machine: Machine, function: Value) -> frozenset[str]:
    """The names around a function that it reads, transformed or not, or one that it calls: a
    program is made of what they stand for at the time.
    """
    read, seen = set[str](), set[int]()
    pending: list[Value | None] = [function]
    while pending:
        each = pending.pop()
        while isinstance(each, Transformed):
            each = each.function
        if not isinstance(each, FunctionValue) or id(each.definition) in seen:
            continue
        seen.add(id(each.definition))
        names = _names_around(each.definition)
        read |= names
        pending += (machine.store.get((each.scope, name)) for name in names)
    return frozenset(read)


def _names_around(definition: nodes.FunctionDefinition | nodes.Lambda) -> set[str]:
    """The names that a function reads and does not bind."""
    own = {parameter.name for parameter in definition.parameters.items}
    declared, named = set[str](), set[str]()
    for node in walk((definition,)):
        own.update(_targets(node))
        if isinstance(node, nodes.ScopeDeclaration):
            declared.update(node.names)
        elif isinstance(node, nodes.Name):
            named.add(node.identifier)
    return named - (own - declared)


def changes_items(
    loop: Loop, target: set[str], site: Site, frame: Frame, read: frozenset[str]
) -> bool:
    """Whether an iteration puts what the loop binds into an object that an expression names, or
    what is compiled there reads: a configuration, say, of which it makes another program each time.
    """
    if loop not in frame.flow.loops or site.unit is not frame.unit:
        return False
    named = {*IDENTIFIER.findall(site.unit.part(site.start, site.end)), *read}
    for node in _statements(loop, frame):
        if not isinstance(node, nodes.Assignment):
            continue
        owners = {each.value for each in node.targets if isinstance(each, _ITEMS)}
        changed = any(named & {*IDENTIFIER.findall(frame.text(each))} for each in owners)
        if changed and target & {*IDENTIFIER.findall(frame.text(node))}:
            return True
    return False


def _statements(loop: Loop, frame: Frame) -> Iterator[nodes.Node]:
    """Yields what stands in a loop of an activation."""
    for node in walk(frame.unit.body):
        if loop.span[0] <= node.start and node.end <= loop.span[1]:
            yield node
