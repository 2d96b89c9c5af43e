"""Tests: what is known of a value's truth, and what a test tells of the names in it."""

from collections.abc import Callable

from oakum_lint.facts import nodes
from oakum_lint.interp.containers import content_of, entries_of
from oakum_lint.interp.frames import Frame
from oakum_lint.interp.machine import Machine
from oakum_lint.interp.names import bound_in, look_up
from oakum_lint.interp.results import UNKNOWN_ARRAY
from oakum_lint.interp.store import Store
from oakum_lint.interp.values import (
    FALSE,
    NONE,
    TRUE,
    UNKNOWN,
    Array,
    BoundMethod,
    Choice,
    ClassValue,
    Constant,
    DTypeValue,
    External,
    FunctionValue,
    HeapObject,
    Method,
    ModuleValue,
    Partial,
    Place,
    Scalar,
    Transformed,
    Tree,
    TupleValue,
    Unknown,
    Value,
    join_all,
)
from oakum_lint.models.frameworks import is_guard

CONCRETE_TYPES = frozenset(
    {
        "builtins.int",
        "builtins.float",
        "builtins.bool",
        "builtins.complex",
        "builtins.str",
        "numpy.ndarray",
        "numpy.generic",
        "numpy.number",
        "numpy.integer",
        "numpy.floating",
        "numbers.Number",
        "numbers.Real",
        "numbers.Integral",
    }
)
"""Types of which a tracer is no instance."""
TRACER_TYPES = frozenset({"jax.core.Tracer", "jax.interpreters.partial_eval.DynamicJaxprTracer"})
ARRAY_TYPES = frozenset({"jax.Array", "jax.numpy.ndarray", "jax.numpy.Array"})


def decide(machine: Machine, value: Value) -> bool | None:
    """The truth of a value, or None when it is not known."""
    match value:
        case Constant(known):
            return bool(known)
        case TupleValue(elements) if elements is not None:
            return bool(elements)
        case FunctionValue() | ClassValue() | ModuleValue() | BoundMethod() | Partial():
            return True
        case Transformed() | Method() | DTypeValue():
            return True
        case HeapObject(kind="list" | "set" | "deque"):
            elements = content_of(machine, value).elements
            return None if elements is None else bool(elements)
        case HeapObject(kind="dict"):
            entries = entries_of(machine, value)
            return True if entries.known else None if entries.rest is not None else False
        case Choice(options):
            truths = {decide(machine, option) for option in options}
            return truths.pop() if len(truths) == 1 else None
        case _:
            return None


def narrow(machine: Machine, test: nodes.Expression, outcome: bool, frame: Frame) -> None:
    """Records on the current path what the outcome of a test tells of the names in it."""
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
        scope = bound_in(machine, node.identifier, frame)
        if scope is None:
            return
        old = machine.read(scope, node.identifier)
        if old is not None and (new := change(old)) is not old:
            machine.write(scope, node.identifier, new)
            _update_aliases(machine, old, new, scope, frame)
    elif isinstance(node, nodes.Attribute) and isinstance(node.value, nodes.Name):
        owner = look_up(machine, node.value.identifier, frame)
        if isinstance(owner, HeapObject) and owner.kind == "instance":
            old = machine.read(owner, node.attribute)
            if old is not None and (new := change(old)) is not old:
                machine.write(owner, node.attribute, new)


def _update_aliases(machine: Machine, old: Value, new: Value, scope: object, frame: Frame) -> None:
    """Names of this function that hold the very same choice narrow together."""
    if not isinstance(old, Choice) or frame.scope is not scope or frame.entry is None:
        return
    names: set[str] = set()
    layer: Store | None = machine.store
    while layer is not None and layer is not frame.entry:
        names.update(name for owner, name in layer.cells if owner is scope)
        layer = layer.parent
    for name in names:
        if machine.store.get((frame.scope, name)) is old:
            machine.write(frame.scope, name, new)


def _narrow_truth(machine: Machine, node: nodes.Name, outcome: bool, frame: Frame) -> None:
    def change(value: Value) -> Value:
        match value:
            case Scalar("bool"):
                return TRUE if outcome else FALSE
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
    if isinstance(left, nodes.Constant) or (
        isinstance(left, nodes.Name) and left.identifier == "None"
    ):
        left, right = right, left
    known = _literal(right)
    if known is None:
        return

    def change(value: Value) -> Value:
        match value:
            case Unknown() | Scalar() if positive:
                return known
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


def _literal(node: nodes.Expression) -> Constant | None:
    match node:
        case nodes.Constant(value=value):
            return Constant(value)
        case nodes.Name(identifier="None"):
            return NONE
        case nodes.Name(identifier="True"):
            return TRUE
        case nodes.Name(identifier="False"):
            return FALSE
        case _:
            return None


def _narrow_call(machine: Machine, call: nodes.Call, outcome: bool, frame: Frame) -> None:
    function = call.function
    if isinstance(function, nodes.Name) and function.identifier == "isinstance":
        if len(call.arguments) == 2:
            _narrow_isinstance(machine, call.arguments[0], call.arguments[1], outcome, frame)
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
                return join_all(kept) if kept else value
            case Tree(place, level, origin):
                if paths is None:
                    return UNKNOWN
                if outcome and paths <= ARRAY_TYPES:
                    return Array(UNKNOWN_ARRAY, place, level, origin)
                return UNKNOWN if outcome or paths & (TRACER_TYPES | ARRAY_TYPES) else value
            case _:
                return value

    _update(machine, subject, frame, change)


def type_paths(types: Value) -> frozenset[str] | None:
    """The canonical names of a class or a tuple of classes; None when one is not known."""
    values = types.elements if isinstance(types, TupleValue) else (types,)
    if values is None:
        return None
    paths: set[str] = set()
    for value in values:
        match value:
            case External(path):
                paths.add(path)
            case ClassValue():
                paths.add(f"{value.module.name}.{value.name}")
            case _:
                return None
    return frozenset(paths)


def instance_of(machine: Machine, value: Value, paths: frozenset[str] | None) -> bool | None:
    """Whether the value is an instance of one of the named classes; None when it is not known."""
    if paths is None:
        return None
    match value:
        case Array(_, Place.HOST):
            return True if "numpy.ndarray" in paths else None
        case Array(_, place):
            if paths & ARRAY_TYPES:
                return True
            if paths & TRACER_TYPES:
                return None if place is Place.ANY else place is not Place.DEVICE
            return False if paths <= CONCRETE_TYPES | {"builtins.list", "builtins.tuple"} else None
        case Constant(known):
            names = {f"builtins.{base.__name__}" for base in type(known).__mro__[:-1]}
            return _by_name(names, paths)
        case Scalar(kind) if kind != "number":
            names = {f"builtins.{kind}"} | ({"builtins.int"} if kind == "bool" else set[str]())
            return _by_name(names, paths)
        case TupleValue(_, _, None):
            return _by_name({"builtins.tuple"}, paths)
        case HeapObject(kind="list" | "dict" | "set"):
            return _by_name({f"builtins.{value.kind}"}, paths)
        case FunctionValue():
            return False if paths <= CONCRETE_TYPES | ARRAY_TYPES | TRACER_TYPES else None
        case HeapObject(kind="instance") if value.cls is not None:
            return _instance_of_class(value.cls, paths)
        case _:
            return None


def _by_name(names: set[str], paths: frozenset[str]) -> bool | None:
    if names & paths:
        return True
    # An abstract base class (Sequence, Mapping, Callable, ArrayLike) may still be meant.
    concrete = all(
        path.startswith("builtins.") or path in CONCRETE_TYPES | ARRAY_TYPES | TRACER_TYPES
        for path in paths
    )
    numbers = {"numbers.Number", "numbers.Real", "numbers.Integral"}
    return False if concrete and not numbers & paths else None


def _instance_of_class(cls: ClassValue, paths: frozenset[str]) -> bool | None:
    stack, certain = [cls], True
    while stack:
        current = stack.pop()
        if f"{current.module.name}.{current.name}" in paths:
            return True
        for base in current.bases:
            match base:
                case ClassValue():
                    stack.append(base)
                case External(path):
                    if path in paths:
                        return True
                    certain = certain and path == "builtins.object"
                case _:
                    certain = False
    return False if certain else None


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
                spelled = function
                name = ""
                if isinstance(spelled, nodes.Attribute):
                    name = spelled.attribute
                elif isinstance(spelled, nodes.Name):
                    name = spelled.identifier
                if name and is_guard(name):
                    for argument in arguments:
                        _update(machine, argument, frame, _forget)
            case _:
                pass


def _forget(value: Value) -> Value:
    return UNKNOWN if isinstance(value, Tree | Array | Choice) else value


def refine(machine: Machine, node: nodes.Node, value: Value, frame: Frame) -> None:
    """A traced tree that was used as an array is an array: its name says so from here on."""
    if not isinstance(value, Tree) or not isinstance(node, nodes.Name):
        return
    array = Array(UNKNOWN_ARRAY, value.place, value.level, value.origin)
    _update(machine, node, frame, lambda old: array if old == value else old)
