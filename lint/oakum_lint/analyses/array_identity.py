"""Tests of whether an array is the very object `True`, `False` or a number: it never is.

Code may tell flags of Python and arrays apart by such a test: a fast path for the flags, a default
that stands for "not given". It has something for arrays then, and nothing is reported: it reads the
value where an array leads, or names both `True` and `False`.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from oakum.dtypes import Kind
from oakum.values.records import dataclass
from oakum_lint.analyses.closed_world.sources import is_dotted, sources_in
from oakum_lint.arrays.array_results import array_method
from oakum_lint.domain.callables import FunctionValue, Scope
from oakum_lint.domain.events import Event
from oakum_lint.domain.frames import Frame, is_seen_to_run
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.moments import Compared, Guest, Moments
from oakum_lint.domain.names import find
from oakum_lint.domain.values import (
    Array,
    Constant,
    External,
    Tree,
    Value,
    is_jax_array,
    is_tracer,
    scalar_kind,
)
from oakum_lint.models.types import is_builtin_type
from oakum_lint.python.objects.references import resolve
from oakum_lint.syntax import nodes
from oakum_lint.syntax.walk import parts_in, walk, walk_own

UNKNOWN_DTYPE = "it is not known what the array holds: the test may ask whether it was passed"
PYTHON_FLAG = "in another call this may be a Python value"
DEFAULT_FLAG = "its default is a Python value"
DECLARED_FLAG = "its annotation says that this may be a Python value"

_IDENTITY: Final = ("is", "is not")
_MOST: Final = 64
"""So many expressions are looked at that an operand comes from."""
_KINDS: Final = ("bool", "int", "float", "complex")
_ASSIGNING: Final = nodes.Assignment | nodes.AnnotatedAssignment | nodes.AugmentedAssignment
_LEAVING: Final = nodes.Return | nodes.Raise | nodes.Break | nodes.Continue


@dataclass(frozen=True, slots=True)
class ArrayIdentityTest(Event):
    """An array, the operand, is compared with `literal` by `operator`, which is `is` or `is not`:
    the user's text is `test`.
    """

    test: str
    operator: str
    literal: str


def _check_test(
    machine: Machine,
    operator: str,
    left: Compared,
    right: Compared,
    frame: Frame,
    node: nodes.Comparison,
) -> None:
    """Reports an array of JAX on one side of an identity test, and a literal on the other, which
    is of the kind that the array holds.
    """
    for (array, operand), (literal, other) in ((left, right), (right, left)):
        if not (is_jax_array(array) or is_tracer(array)):
            continue
        if not isinstance(other, nodes.Constant) or scalar_kind(literal) not in _KINDS:
            continue
        dtype = array.aval.dtype if isinstance(array, Array) else None
        if dtype is not None and (dtype.kind is Kind.BOOL) is not isinstance(other.value, bool):
            # The literal stands for "not given", or "switched off".
            continue
        if _has_case_for_arrays(operand, frame, node):
            continue
        doubt = _doubt(machine, operand, frame)
        if isinstance(array, Tree) and doubt == PYTHON_FLAG:
            # Perhaps it is no leaf of what is traced.
            continue
        if doubt == DEFAULT_FLAG and not is_seen_to_run(frame):
            # Nobody is seen to pass an array; `jit` leaves a default as it is.
            continue
        machine.emit(
            ArrayIdentityTest,
            frame,
            node,
            array,
            operand,
            doubt or (UNKNOWN_DTYPE if dtype is None else ""),
            test=frame.text(node),
            operator=operator,
            literal=frame.text(other),
        )


# --- what the code has for arrays ---------------------------------------------------------------


def _has_case_for_arrays(operand: nodes.Expression, frame: Frame, node: nodes.Comparison) -> bool:
    """Whether the code around a test has something for an array: it reads it where the test leads
    an array, or tests it for both truths.
    """
    if not is_dotted(operand):
        return False
    name, body = frame.text(operand), _body_around(frame)
    if {True, False} <= set(_literals_tested(name, body, frame)):
        return True
    statement = _statement_around(node, body)
    if statement is None:
        return any(True for _ in _reads(name, body, frame))
    if any(True for _ in _reads(name, (statement,), frame)):
        return True
    return _leads_on(name, statement, frame) and any(
        read.start >= statement.end for read in _reads(name, body, frame)
    )


def _body_around(frame: Frame) -> tuple[nodes.Node, ...]:
    """The code of the function that runs, or the statement of the module."""
    function = frame.called.function
    if function is None:
        return tuple(frame.unit.body)
    body = function.definition.body
    return body if isinstance(body, tuple) else (body,)


def _statement_around(node: nodes.Node, body: Iterable[nodes.Node]) -> nodes.Node | None:
    """The innermost statement that a node is in; None in a lambda."""
    around = [
        each
        for each in walk(body)
        if isinstance(each, nodes.Statement) and each.start <= node.start and node.end <= each.end
    ]
    return min(around, key=lambda each: each.end - each.start, default=None)


def _leads_on(name: str, statement: nodes.Node, frame: Frame) -> bool:
    """Whether what stands behind a statement with a test depends on its outcome: the statement
    leaves in some case, binds the name again, or keeps the outcome.
    """
    if isinstance(statement, nodes.Assert | _ASSIGNING):
        return True
    return any(
        isinstance(part, _LEAVING) or any(frame.text(each) == name for each in _targets(part))
        for part in walk_own((statement,))
    )


def _targets(node: nodes.Node) -> tuple[nodes.Expression, ...]:
    match node:
        case nodes.Assignment(targets=targets):
            return targets
        case nodes.AnnotatedAssignment(target=target) | nodes.NamedExpression(target=target):
            return (target,)
        case _:
            return ()


def _reads(name: str, body: Iterable[nodes.Node], frame: Frame) -> Iterator[nodes.Node]:
    """Yields where a value is read for something else than its identity."""
    parts = list(walk(body))
    aside = {id(target) for part in parts for target in _targets(part)}
    aside |= {id(operand) for part in parts for operand in _identified(part)}
    for part in parts:
        if is_dotted(part) and id(part) not in aside and frame.text(part) == name:
            yield part


def _identified(node: nodes.Node) -> tuple[nodes.Expression, ...]:
    """The operands of an identity test."""
    if isinstance(node, nodes.Comparison) and all(each in _IDENTITY for each in node.operators):
        return (node.left, *node.comparators)
    return ()


def _literals_tested(name: str, body: Iterable[nodes.Node], frame: Frame) -> Iterator[bool]:
    """Yields the truths that a value is tested to be."""
    for part in walk(body):
        operands = _identified(part)
        if any(frame.text(each) == name for each in operands):
            for each in operands:
                if isinstance(each, nodes.Constant) and isinstance(each.value, bool):
                    yield each.value


# --- what else the operand may be ---------------------------------------------------------------


def _doubt(machine: Machine, operand: nodes.Expression, frame: Frame) -> str:
    """Why the operand may be a Python value in another call of the function; empty where it is an
    array whatever that gets.
    """
    doubt = "" if frame.called.function is None else PYTHON_FLAG
    pending: list[tuple[nodes.Node, Frame]] = [(operand, frame)]
    for _ in range(_MOST):
        if not (pending and doubt):
            break
        node, at = pending.pop()
        match node:
            case nodes.Comparison() | nodes.BinaryOperation() | nodes.UnaryOperation():
                pending += ((part, at) for part in parts_in(node))
            case nodes.Call() if _makes_array(machine, node, at):
                doubt = ""
            case nodes.Name():
                sources, said = _behind_name(machine, node, at)
                pending += sources
                doubt = doubt if said is None else said
            case _:
                pass
    return doubt


def _behind_name(
    machine: Machine, node: nodes.Name, frame: Frame
) -> tuple[list[tuple[nodes.Node, Frame]], str | None]:
    """The one expression that a variable gets its value from, or else what is doubtful of a
    parameter that the transform of the function traces; None of any other.
    """
    name = node.identifier
    found = find(machine, name, frame)
    owner = None if found is None else _activation(found[0], frame)
    function = None if owner is None else owner.called.function
    if found is None or owner is None or function is None:
        return [], None
    definition = function.definition
    body = definition.body if isinstance(definition.body, tuple) else ()
    sources = sources_in(body, definition.parameters)
    if name in sources.bound:
        before = sources.before(name, node.start if owner is frame else None)
        return [(each, owner) for each in before if len(before) == 1], None
    for parameter in definition.parameters.items:
        if parameter.name == name and _is_traced(found[1], parameter, function):
            return [], _declared(machine, parameter, function)
    return [], None


def _activation(scope: Scope, frame: Frame) -> Frame | None:
    """The activation among those that lead here that has a scope."""
    return next((each for each in frame.callers() if each.scope is scope), None)


def _makes_array(machine: Machine, call: nodes.Call, frame: Frame) -> bool:
    """Whether a call gives an array, whatever its arguments are."""
    match resolve(machine, call.function, frame), call.function:
        case External(path), _:
            declared = machine.public(path)
        case _, nodes.Attribute(attribute=name):
            declared = array_method(name)
        case _:
            return False
    return declared is not None and declared.rule is not None and not declared.static_result


def _is_traced(value: Value, parameter: nodes.Parameter, function: FunctionValue) -> bool:
    """Whether the transform of this very function has made a tracer of what it got for a
    parameter.
    """
    origin = value.origin if isinstance(value, Array | Tree) else None
    return (
        origin is not None
        and origin.unit is function.unit
        and (origin.start, origin.end) == (parameter.start, parameter.end)
    )


def _declared(machine: Machine, parameter: nodes.Parameter, function: FunctionValue) -> str:
    """What the declaration of a parameter says of values of Python for it, if anything."""
    default = function.defaults.get(parameter.name)
    if isinstance(default, Constant) and default.value is not None:
        return DEFAULT_FLAG
    annotation = parameter.annotation
    outside = Frame(function.scope, function.unit, function.module, None)
    for part in walk(() if annotation is None else (annotation,)):
        match part:
            case nodes.Constant(value=str()):
                return DECLARED_FLAG
            case nodes.Name():
                named = resolve(machine, part, outside)
                if isinstance(named, External) and is_builtin_type(named.path):
                    return DECLARED_FLAG
            case _:
                pass
    return ""


GUEST = Guest("array_identity", Moments(identity_tested=(_check_test,)))
