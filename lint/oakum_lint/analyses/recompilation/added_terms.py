"""Names that a function reads only in sums and products with its arguments: numbers that an array
of all of them could hold as well.
"""

from oakum_lint.domain.callables import FunctionValue, Transformed
from oakum_lint.domain.values import Value
from oakum_lint.syntax import nodes
from oakum_lint.syntax.walk import walk

ARITHMETIC = frozenset("+-*/")
STATIC_OPTIONS = ("static_argnums", "static_argnames")


def is_term(name: str, made: Transformed) -> bool:
    """Whether a function reads a name only in sums and products with its arguments."""
    function: Value = made
    while isinstance(function, Transformed):
        if any(function.option(option) is not None for option in STATIC_OPTIONS):
            return False
        function = function.function
    if not isinstance(function, FunctionValue):
        return False
    definition = function.definition
    own = {parameter.name for parameter in definition.parameters.items}
    lines = definition.body if isinstance(definition.body, tuple) else (definition.body,)
    found = [*walk(lines)]
    uses = sum(isinstance(node, nodes.Name) and node.identifier == name for node in found)
    terms = 0
    for node in found:
        if isinstance(node, nodes.BinaryOperation) and node.operator in ARITHMETIC:
            for term, other in ((node.left, node.right), (node.right, node.left)):
                names = _names_of_number(term)
                if names and set(names) == {name} and _is_of_argument(other, own):
                    terms += len(names)
    return 0 < uses == terms


def _names_of_number(expression: nodes.Expression) -> list[str]:
    """The names in an expression of names and numbers; none in any other."""
    names: list[str] = []
    pending: list[nodes.Node] = [expression]
    while pending:
        match pending.pop():
            case nodes.Name(identifier=name):
                names.append(name)
            case nodes.BinaryOperation(left=left, right=right):
                pending += (left, right)
            case nodes.UnaryOperation(operand=operand):
                pending.append(operand)
            case nodes.Constant():
                pass
            case _:
                return []
    return names


def _is_of_argument(expression: nodes.Expression, own: set[str]) -> bool:
    """Whether an expression is computed from the elements of an argument."""
    pending: list[nodes.Node] = [expression]
    while pending:
        match pending.pop():
            case nodes.Name(identifier=name):
                if name in own:
                    return True
            case nodes.BinaryOperation(left=left, right=right):
                pending += (left, right)
            case nodes.UnaryOperation(operand=operand):
                pending.append(operand)
            case nodes.Subscript(value=value):
                pending.append(value)
            case nodes.Call(function=nodes.Attribute(), arguments=arguments):
                pending += arguments
            case _:
                pass
    return False
