"""The functions of the module `operator`: they do what the operators do."""

from collections.abc import Callable

from oakum_lint.facts import nodes
from oakum_lint.interp.arguments import Arguments
from oakum_lint.interp.comparisons import COMPARING, compare
from oakum_lint.interp.frames import Frame
from oakum_lint.interp.machine import LibraryCall, Machine
from oakum_lint.interp.operators import SPECIAL, binary, invert, negate
from oakum_lint.interp.subscripts import get_item
from oakum_lint.interp.values import UNKNOWN, Value

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


def _functions() -> dict[str, LibraryCall]:
    made: dict[str, LibraryCall] = {}
    for operator, name in SPECIAL.items():
        # `and` and `or` are words of the language.
        made[f"operator.{name}_" if name in ("and", "or") else f"operator.{name}"] = _of_two(
            binary, operator
        )
    for operator, name in COMPARING.items():
        made[f"operator.{name}"] = _of_two(compare, operator)
    made |= dict.fromkeys(("operator.inv", "operator.invert"), _of_one(invert))
    made["operator.neg"] = _of_one(negate)
    made["operator.getitem"] = _item
    return made


OPERATOR_FUNCTIONS = _functions()
