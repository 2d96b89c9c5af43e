"""Calls and decorators of tests that say that what they run is expected to fail."""

from collections.abc import Iterable
from typing import Literal

from oakum.values.records import dataclass, field
from oakum_lint.domain.callables import ClassValue, FunctionValue
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.names import called_name, look_up
from oakum_lint.domain.values import External, HeapObject, Unknown, Value
from oakum_lint.models.errors import (
    EXPECTING_FUNCTIONS,
    EXPECTING_METHODS,
    EXPECTING_NAMES,
    FAILING_DECORATORS,
    FAILING_NAMES,
    SAYS_RAISES,
    TEST_CASES,
)
from oakum_lint.syntax import nodes
from oakum_lint.syntax.module import UnitFacts
from oakum_lint.syntax.walk import walk

Expectation = Literal["failure", "perhaps", "none"]
"""Whether a failure is expected; perhaps: a name that is not resolved says so."""


@dataclass(slots=True)
class Expectations:
    """What the functions of a run expect of what is defined in them."""

    by_definition: dict[int, Expectation] = field(default_factory=dict[int, Expectation])
    """By the identity of the function's definition."""


def expectation(
    machine: Machine, called: nodes.Expression, function: Value, frame: Frame
) -> Expectation:
    """What a function, as it is called, expects of what it runs."""
    match function:
        case External(path) if path in EXPECTING_FUNCTIONS:
            return "failure"
        case External(path):
            return "perhaps" if path.rpartition(".")[2] in EXPECTING_NAMES else "none"
        case Unknown() if called_name(called) in EXPECTING_NAMES:
            is_known = is_method_of_tests(machine, called, EXPECTING_METHODS, frame)
            return "failure" if is_known else "perhaps"
        case _:
            return "none"


def is_method_of_tests(
    machine: Machine, called: nodes.Expression, names: frozenset[str], frame: Frame
) -> bool:
    """Whether a method is one of these that a test case has from its class."""
    if not isinstance(called, nodes.Attribute) or called.attribute not in names:
        return False
    owner: Value | None = None
    if isinstance(called.value, nodes.Name):
        owner = look_up(machine, called.value.identifier, frame)
    cls = owner.cls if isinstance(owner, HeapObject) else frame.current_class
    return isinstance(cls, ClassValue) and any(
        isinstance(base, External) and base.path in TEST_CASES for base in cls.order
    )


def expected_around(machine: Machine, frame: Frame) -> Expectation:
    """What the calls in the running function expect of what is defined there."""
    function = frame.called.function
    if function is None:
        return "none"
    definition, known = function.definition, machine.state_of(Expectations).by_definition
    if id(definition) not in known:
        known[id(definition)] = (
            _expected_of(machine, _calls((definition,)), frame)
            if frame.unit.says(SAYS_RAISES, definition.start, definition.end)
            else "none"
        )
    return known[id(definition)]


def expected_where_passed(machine: Machine, function: FunctionValue) -> Expectation:
    """What the calls in its module that a function is passed to expect of it."""
    module, found = function.module, list[Expectation]()
    for unit in module.facts.units_that_say(SAYS_RAISES):
        if function.name not in unit.text:
            continue
        for statement in unit.body:
            frame = Frame(module.scope, unit, module, None)
            if isinstance(statement, nodes.ClassDefinition):
                frame.current_class = look_up(machine, statement.name, frame)
            passed = _calls_by_name(unit).get(function.name, ())
            found.append(
                _expected_of(machine, [call for call in passed if _is_in(call, statement)], frame)
            )
    return _strongest(found)


def _calls(within: Iterable[nodes.Node]) -> list[nodes.Call]:
    return [node for node in walk(within) if isinstance(node, nodes.Call)]


def _calls_by_name(unit: UnitFacts) -> dict[str, list[nodes.Call]]:
    """The calls in a unit by the names that stand among their arguments. Every function of a module
    asks for them: looking through a class of tests for each took 9% of a run over flax and optax.
    """
    if unit.calls_by_name is None:
        unit.calls_by_name = {}
        for call in _calls(unit.body):
            names = (
                node.identifier for node in walk(call.arguments) if isinstance(node, nodes.Name)
            )
            for name in dict.fromkeys(names):
                unit.calls_by_name.setdefault(name, []).append(call)
    return unit.calls_by_name


def _is_in(call: nodes.Call, statement: nodes.Statement) -> bool:
    return statement.start <= call.start and call.end <= statement.end


def _expected_of(machine: Machine, calls: Iterable[nodes.Call], frame: Frame) -> Expectation:
    return _strongest(
        [
            expectation(machine, call.function, resolved(machine, call.function, frame), frame)
            for call in calls
        ]
    )


def _strongest(found: list[Expectation]) -> Expectation:
    return "failure" if "failure" in found else "perhaps" if "perhaps" in found else "none"


def resolved(machine: Machine, named: nodes.Expression, frame: Frame) -> Value:
    """What a dotted name stands for, as far as it leads to a library; else Unknown."""
    parts: list[str] = []
    while isinstance(named, nodes.Attribute):
        parts.append(named.attribute)
        named = named.value
    if not isinstance(named, nodes.Name):
        return Unknown()
    value = look_up(machine, named.identifier, frame)
    if not parts:
        return value
    if not isinstance(value, External):
        return Unknown()
    return External(machine.project.canonical(".".join((value.path, *reversed(parts)))))


def decorators_expect(
    machine: Machine, definition: nodes.FunctionDefinition, frame: Frame
) -> Expectation:
    """What the decorators of a test say of it."""
    found: Expectation = "none"
    for decorator in definition.decorators:
        named = decorator.function if isinstance(decorator, nodes.Call) else decorator
        match resolved(machine, named, frame):
            case External(path) if path in FAILING_DECORATORS:
                return "failure"
            case External() | Unknown() if called_name(named) in FAILING_NAMES:
                found = "perhaps"
            case _:
                pass
    return found
