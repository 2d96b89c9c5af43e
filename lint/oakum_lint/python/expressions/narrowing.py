"""Narrowing: what a condition, once it is known to hold or to fail, says of the variables in it."""

from collections.abc import Callable

from oakum.values.records import replace
from oakum_lint.arrays.array_results import UNKNOWN_ARRAY, as_array, may_be_number
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.joins import join_all
from oakum_lint.domain.names import find, look_up
from oakum_lint.domain.store import Store
from oakum_lint.domain.values import (
    FALSE,
    NONE,
    TRUE,
    UNKNOWN,
    Array,
    Choice,
    Constant,
    HeapObject,
    Scalar,
    Tree,
    Unknown,
    Value,
)
from oakum_lint.models.types import ARRAY_TYPES, TRACER_TYPES
from oakum_lint.python.expressions.conditions import (
    decide,
    instance_of,
    type_paths,
)
from oakum_lint.python.expressions.guards import is_guard
from oakum_lint.syntax import nodes


def narrow(machine: Machine, test: nodes.Expression, outcome: bool, frame: Frame) -> None:
    """Records on the current path what the outcome of a test says of the names in it."""
    stack: list[tuple[nodes.Expression, bool]] = [(test, outcome)]
    while stack:
        expression, outcome = stack.pop()
        match expression:
            case nodes.UnaryOperation(operator="not", operand=operand):
                stack.append((operand, not outcome))
            case nodes.BooleanOperation(operator=operator, operands=parts):
                if (operator == "and") == outcome:
                    stack.extend((part, outcome) for part in parts)
                else:
                    for part in parts:
                        _forget_guarded(machine, part, frame)
            case nodes.NamedExpression(target=target):
                stack.append((target, outcome))
            case nodes.Name():
                _narrow_truth(machine, expression, outcome, frame)
            case nodes.Comparison(operators=(operator,), comparators=(right,)):
                _narrow_comparison(machine, expression.left, operator, right, outcome, frame)
            case nodes.Call():
                _narrow_call(machine, expression, outcome, frame)
            case _:
                pass


def _update(
    machine: Machine, node: nodes.Expression, frame: Frame, change: Callable[[Value], Value]
) -> None:
    """Replaces what is known of a name, or of an attribute of a named instance, on this path."""
    if isinstance(node, nodes.NamedExpression):
        node = node.target
    if isinstance(node, nodes.Name):
        found = find(machine, node.identifier, frame)
        if found is None:
            return
        scope, old = found
        if (new := change(old)) is not old:
            machine.write(scope, node.identifier, new)
            _update_aliases(machine, old, new, scope, frame)
    elif isinstance(node, nodes.Attribute) and isinstance(node.value, nodes.Name):
        owner = look_up(machine, node.value.identifier, frame)
        if isinstance(owner, HeapObject) and owner.kind == "instance":
            held = machine.read(owner, node.attribute)
            if held is not None and (new := change(held)) is not held:
                machine.write(owner, node.attribute, new)


def _update_aliases(machine: Machine, old: Value, new: Value, scope: object, frame: Frame) -> None:
    """Names of this function that hold the very same value narrow together."""
    if frame.scope is not scope or frame.flow.entry is None:
        return
    if not isinstance(old, Choice) and (not isinstance(old, Unknown) or old is UNKNOWN):
        return
    names: set[str] = set()
    layer: Store | None = machine.store
    while layer is not None and layer is not frame.flow.entry:
        names.update(name for owner, name in layer.cells if owner is scope)
        layer = layer.parent
    for name in names:
        if machine.store.get((frame.scope, name)) is old:
            machine.write(frame.scope, name, new)


def _tested(value: Unknown, *, present: bool, truth: bool | None = None) -> Unknown:
    """Adds to an unknown value what a test has shown of it."""
    truth = value.truth if truth is None else truth
    bare = value.bare or value
    shown = value.present or present
    return replace(value, present=shown, truth=truth, bare=bare, declared=None)


def _narrow_truth(machine: Machine, node: nodes.Name, outcome: bool, frame: Frame) -> None:
    # What is used as an object may be changed, and then have another truth.
    is_flag = node.identifier not in frame.unit.objects

    def change(value: Value) -> Value:
        match value:
            case Scalar("bool"):
                return TRUE if outcome else FALSE
            case Unknown() if is_flag:
                return _tested(value, present=outcome, truth=outcome)
            case Choice(options):
                kept = tuple(o for o in options if decide(machine, o) is not (not outcome))
                return join_all(kept) if kept else value
            case _:
                return value

    _update(machine, node, frame, change)


def _narrow_comparison(
    machine: Machine,
    left: nodes.Expression,
    operator: str,
    right: nodes.Expression,
    outcome: bool,
    frame: Frame,
) -> None:
    if operator not in ("is", "is not", "==", "!="):
        return
    positive = (operator in ("is", "==")) == outcome
    if isinstance(left, nodes.Constant):
        left, right = right, left
    if not isinstance(right, nodes.Constant):
        return
    known = Constant(right.value)

    def change(value: Value) -> Value:
        match value:
            case Unknown() | Scalar() if positive:
                return known
            case Unknown() if known == NONE:
                return _tested(value, present=True)
            case Tree() if positive and known == NONE:
                return known
            case Choice(options):
                if positive:
                    return known if known in options else value
                kept = tuple(option for option in options if option != known)
                return join_all(kept) if kept else value
            case _:
                return value

    _update(machine, left, frame, change)


def _narrow_call(machine: Machine, call: nodes.Call, outcome: bool, frame: Frame) -> None:
    function = call.function
    if isinstance(function, nodes.Name) and function.identifier == "isinstance":
        if len(call.arguments) == 2:
            _narrow_isinstance(machine, call.arguments[0], call.arguments[1], outcome, frame)
        return
    if isinstance(function, nodes.Name) and function.identifier == "hasattr":
        if call.arguments and not outcome:
            # What lacks an attribute that the code asks for is of another type.
            _update(machine, call.arguments[0], frame, _forget)
        return
    _forget_guarded(machine, call, frame)


def _narrow_isinstance(
    machine: Machine,
    subject: nodes.Expression,
    types: nodes.Expression,
    outcome: bool,
    frame: Frame,
) -> None:
    # Type expressions are names; evaluating them again has no effect.
    paths = type_paths(machine.evaluate(types, frame))

    def change(value: Value) -> Value:
        match value:
            case Choice(options):
                kept = tuple(
                    o for o in options if instance_of(machine, o, paths) is not (not outcome)
                )
                return join_all(tuple(map(change, kept))) if kept else value
            case Tree(place, level, origin):
                if paths is None:
                    return UNKNOWN
                if outcome and paths <= ARRAY_TYPES:
                    return Array(UNKNOWN_ARRAY, place, level, origin)
                return UNKNOWN if outcome or paths & (TRACER_TYPES | ARRAY_TYPES) else value
            case Array() if instance_of(machine, value, paths) is (not outcome):
                # This path is taken with another value only.
                return UNKNOWN
            case Array() | Constant(None) if outcome and instance_of(machine, value, paths) is None:
                # Of a class that nothing is known of, it is hardly this.
                return UNKNOWN
            case _:
                return value

    _update(machine, subject, frame, change)


def _forget_guarded(machine: Machine, test: nodes.Expression, frame: Frame) -> None:
    """A guard on type or concreteness clears what is known of the names that it asks about."""
    stack: list[nodes.Expression] = [test]
    while stack:
        expression = stack.pop()
        match expression:
            case nodes.UnaryOperation(operand=operand):
                stack.append(operand)
            case nodes.BooleanOperation(operands=parts):
                stack.extend(parts)
            case nodes.Call(function=function, arguments=arguments):
                if is_guard(machine, function, frame):
                    for argument in arguments:
                        _update(machine, argument, frame, _forget)
            case _:
                pass


def _forget(value: Value) -> Value:
    return UNKNOWN if isinstance(value, Tree | Array | Choice) else value


def refine(machine: Machine, node: nodes.Node, value: Value, frame: Frame) -> None:
    """A traced tree that was used as an array or a number is an array: its name says so from here
    on. Of what may be a number of Python that is not known.
    """
    if isinstance(value, Tree) and not may_be_number(value):
        refine_array(machine, node, value, frame)


def refine_array(machine: Machine, node: nodes.Node, value: Value, frame: Frame) -> None:
    """A traced tree that was used as only an array can be is one."""
    if not isinstance(value, Tree) or not isinstance(node, nodes.Name):
        return
    array = as_array(value)
    _update(machine, node, frame, lambda old: array if old == value else old)


def forget_shape(machine: Machine, node: nodes.Node, frame: Frame) -> None:
    """An array of NumPy that a name stands for gets another shape in place."""
    if isinstance(node, nodes.Name | nodes.Attribute):
        _update(machine, node, frame, _shapeless)


def _shapeless(value: Value) -> Value:
    return replace(value, aval=UNKNOWN_ARRAY) if isinstance(value, Array) else value
