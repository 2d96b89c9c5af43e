"""Reductions in fixes: of what is computed, element by element, of a part of an array."""

from oakum.abstract.elementwise import Elementwise
from oakum.values import declarations
from oakum_lint.fixes.editing.spelling import meaning
from oakum_lint.fixes.editing.values import is_truth, value_of
from oakum_lint.fixes.site import Site
from oakum_lint.fixes.tree import walk
from oakum_lint.models import dotted
from oakum_lint.syntax import nodes


def reduction_around(site: Site, position: int) -> tuple[nodes.Call, nodes.Expression, str] | None:
    """The reduction of what is computed, element by element, of what stands at a position of the
    way: the call, its operand and its name.
    """
    while position > 0 and site.way[position] in element_operands(site, site.way[position - 1]):
        position -= 1
    operand, around = site.way[position], site.way[max(position - 1, 0)]
    assert isinstance(operand, nodes.Expression)
    match around, site.way[max(position - 2, 0)]:
        case nodes.Attribute(value=value, attribute=name), nodes.Call() as call if (
            value is operand and call.function is around
        ):
            return call, operand, f"Array.{name}"
        case nodes.Call(arguments=(first, *_)) as call, _ if first is operand:
            path = meaning(site, call.function).removeprefix(dotted.IN_JAX)
            return (call, operand, path) if declarations.find(path) else None
        case _:
            return None


def element_operands(site: Site, node: nodes.Node) -> tuple[nodes.Expression, ...]:
    """Returns the operands whose elements an operation takes one by one, if it takes any so."""
    match node:
        case nodes.BinaryOperation(left=left, right=right) if node.operator != "@":
            return left, right
        case nodes.UnaryOperation(operand=operand) if node.operator != "not":
            return (operand,)
        case nodes.Comparison(left=left, comparators=(other,)) if is_truth(site, node):
            return left, other
        case nodes.Call(arguments=arguments, keywords=()):
            declared = declarations.find(meaning(site, node.function).removeprefix(dotted.IN_JAX))
            is_elementwise = declared and isinstance(declared.rule, Elementwise)
            return arguments if is_elementwise else ()
        case _:
            return ()


def is_of_elements(site: Site, value: nodes.Expression, part: nodes.Expression) -> bool:
    """Whether each element of a value is computed of one element of a part of it."""
    pending = [value]
    while pending:
        node = pending.pop()
        if node is part:
            return True
        pending += element_operands(site, node)
    return False


def parts_alike(
    site: Site, operand: nodes.Expression, part: nodes.Subscript
) -> list[nodes.Subscript] | None:
    """The parts of named arrays, like `part`, from which each element of an operand is computed;
    None where it is computed from different parts too.
    """
    index = site.text(part.index)
    found: list[nodes.Subscript] = []
    pending = [operand]
    while pending:
        node = pending.pop()
        operands = element_operands(site, node)
        pending += operands
        if _is_alike(site, node, index):
            assert isinstance(node, nodes.Subscript)
            found.append(node)
        elif not operands:
            value = value_of(site, node) if isinstance(node, nodes.Name) else None
            if any(_takes_part(site, each, index) for each in walk(value or node)):
                return None
    return found


def _is_alike(site: Site, node: nodes.Expression, index: str) -> bool:
    """Whether an expression is the part of a named array at an index."""
    return (
        isinstance(node, nodes.Subscript)
        and isinstance(node.value, nodes.Name | nodes.Attribute)
        and site.text(node.index) == index
    )


def _takes_part(site: Site, node: nodes.Node, index: str) -> bool:
    """Whether a node may have as many elements as a slice or what is at an index."""
    return isinstance(node, nodes.Slice) or (
        isinstance(node, nodes.Subscript) and site.text(node.index) == index
    )
