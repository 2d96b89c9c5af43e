"""The functions of the module `operator`: they do what the operators do."""

from collections.abc import Callable

from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.callables import Partial
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.look_ups import entries_of
from oakum_lint.domain.parts import LibraryCall
from oakum_lint.domain.values import NONE, UNKNOWN, Constant, Entries, External, TupleValue, Value
from oakum_lint.models import dotted
from oakum_lint.python.expressions.attributes import get_attribute
from oakum_lint.python.expressions.comparisons import COMPARING, compare
from oakum_lint.python.expressions.operators import SPECIAL, binary, invert, negate
from oakum_lint.python.expressions.subscripts import get_item
from oakum_lint.python.objects.containers import make_dict
from oakum_lint.python.statements.assignments import set_item
from oakum_lint.syntax import nodes

Operation = Callable[[Machine, str, Value, Value, nodes.Node, Frame], Value]


def _of_two(operation: Operation, operator: str) -> LibraryCall:

    def call(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
        left, right = arguments.get(0), arguments.get(1)
        if left is None or right is None:
            return UNKNOWN
        return operation(machine, operator, left, right, node, frame)

    return call


def _of_one(operation: Callable[[Value], Value]) -> LibraryCall:

    def call(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
        return operation(arguments.get(0) or UNKNOWN)

    return call


def _item(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    """`operator.getitem(owner, index)`, as the subscript that it stands for."""
    owner, index = arguments.get(0), arguments.get(1)
    if owner is None or index is None or not isinstance(node, nodes.Call):
        return UNKNOWN
    if len(node.arguments) != 2:
        return UNKNOWN
    subscript = nodes.Subscript(node.start, node.end, *node.arguments)
    return get_item(machine, owner, index, frame, subscript)


def _set_item(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    """`operator.setitem(owner, index, value)`, as the assignment that it stands for."""
    passed = arguments.positional
    if len(passed) == 3 and isinstance(node, nodes.Call) and len(node.arguments) == 3:
        subscript = nodes.Subscript(node.start, node.end, *node.arguments[:2])
        set_item(machine, *passed, frame, subscript, "=")
    return NONE


def _getter(path: str) -> LibraryCall:
    """`attrgetter("loss")`, `itemgetter(1)` and `methodcaller("sum")`: a function of an object."""

    def make(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
        names, options = arguments.positional, arguments.keywords
        if not names or not arguments.complete:
            return UNKNOWN
        passed = TupleValue(names), make_dict(machine, Entries(tuple(options.items())), frame)
        return Partial(External(path), passed, ())

    return make


def _get_attributes(
    machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    """Calls the result of `attrgetter`."""

    def get(owner: Value, name: Value) -> Value:
        if not isinstance(name, Constant) or not isinstance(name.value, str):
            return UNKNOWN
        for part in name.value.split("."):
            owner = get_attribute(machine, owner, part, frame, node)
        return owner

    return _each(arguments, get)


def _get_items(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    """Calls the result of `itemgetter`."""
    if not isinstance(node, nodes.Call):
        return UNKNOWN
    subscript = nodes.Subscript(node.start, node.end, node, node)
    return _each(arguments, lambda owner, key: get_item(machine, owner, key, frame, subscript))


def _each(arguments: Arguments, get: Callable[[Value, Value], Value]) -> Value:
    """One part of an object, or a tuple of several."""
    names, owner = arguments.get(0), arguments.get(2)
    if owner is None or not isinstance(names, TupleValue) or names.elements is None:
        return UNKNOWN
    found = tuple(get(owner, name) for name in names.elements)
    return found[0] if len(found) == 1 else TupleValue(found)


def _call_named(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    """Calls the result of `methodcaller`."""
    names, options, owner = (arguments.get(position) for position in range(3))
    passed = names.elements if isinstance(names, TupleValue) else None
    if owner is None or not passed or not isinstance(passed[0], Constant):
        return UNKNOWN
    named = entries_of(machine, UNKNOWN if options is None else options).known
    keywords = {str(name): value for name, value in named}
    method = get_attribute(machine, owner, str(passed[0].value), frame, node)
    return machine.call(method, Arguments(passed[1:], keywords), frame, node)


GETTERS: dict[str, LibraryCall] = {
    "operator.attrgetter": _get_attributes,
    "operator.itemgetter": _get_items,
    "operator.methodcaller": _call_named,
}


def _functions() -> dict[str, LibraryCall]:
    made: dict[str, LibraryCall] = {}
    for operator, name in SPECIAL.items():
        # `and` and `or` are words of the language.
        made[
            f"{dotted.IN_OPERATOR}{name}_"
            if name in ("and", "or")
            else f"{dotted.IN_OPERATOR}{name}"
        ] = _of_two(binary, operator)
    for operator, name in COMPARING.items():
        made[f"{dotted.IN_OPERATOR}{name}"] = _of_two(compare, operator)
    made |= dict.fromkeys((dotted.INV, dotted.INVERT), _of_one(invert))
    made[dotted.NEG] = _of_one(negate)
    made[dotted.CONCAT] = _of_two(binary, "+")
    made[dotted.GETITEM] = _item
    made[dotted.SETITEM] = _set_item
    for path, call in GETTERS.items():
        made[path] = _getter(f"{path}()")
        made[f"{path}()"] = call
    return made


OPERATOR_FUNCTIONS = _functions()
