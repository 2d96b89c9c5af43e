"""Expressions that are written with nothing but what every trace knows.

What has a shape may be unknown; its shape is known to every trace.
"""

from collections.abc import Iterable

from oakum_lint.models.attributes import SPELLING_SHAPES
from oakum_lint.syntax import nodes


def has_known_arguments(call: nodes.Node) -> bool:
    """Whether a call has arguments, all of them written with constants, shapes and lengths."""
    if not isinstance(call, nodes.Call) or not (call.arguments or call.keywords):
        return False
    return spell_known((*call.arguments, *(keyword.value for keyword in call.keywords)))


def spell_known(expressions: Iterable[nodes.Node | None]) -> bool:
    """Whether expressions are written with nothing but constants, shapes and lengths."""
    pending = [*expressions]
    while pending:
        node = pending.pop()
        match node:
            case nodes.Attribute(attribute=name) if name in SPELLING_SHAPES:
                pass
            case nodes.Call(function=nodes.Name(identifier="len")) | nodes.Constant():
                pass
            case nodes.BinaryOperation(left=left, right=right):
                pending += (left, right)
            case nodes.UnaryOperation(operand=operand):
                pending.append(operand)
            case nodes.Subscript(value=value):
                pending.append(value)
            case nodes.Display(elements=elements):
                pending += elements
            case nodes.Comprehension(element=element):
                pending.append(element)
            case _:
                return False
    return True
