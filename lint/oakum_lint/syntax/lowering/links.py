"""Lowers expressions that begin with another expression: attributes, calls, indices, operators."""

from typing import Any, Final

from oakum_lint.syntax import nodes
from oakum_lint.syntax.lowering.cursor import Cursor, identifier
from oakum_lint.syntax.lowering.dispatch import Link, expression, optional
from oakum_lint.syntax.lowering.operators import OPERATORS
from oakum_lint.syntax.lowering.parameters import lower_arguments
from oakum_lint.syntax.lowering.plain_tree import cst


def _attribute(
    cursor: Cursor, node: cst.Attribute, start: int, value: nodes.Expression
) -> nodes.Expression:
    cursor.take_word(".")
    name = node.attr.value
    name_start = cursor.take_word(name)
    return nodes.Attribute(start, cursor.position, value, identifier(name), name_start)


def _call(
    cursor: Cursor, node: cst.Call, start: int, function: nodes.Expression
) -> nodes.Expression:
    opening = cursor.take_word("(")
    arguments, keywords = lower_arguments(cursor, node.args)
    cursor.take_word(")")
    end = cursor.position
    if len(arguments) == 1 and type(arguments[0]) is nodes.Comprehension:
        only = node.args[0].value
        if type(only) is cst.GeneratorExp and not only.lpar:
            arguments[0].start = opening
            arguments[0].end = end
    return nodes.Call(start, end, function, arguments, keywords)


def _subscript(
    cursor: Cursor, node: cst.Subscript, start: int, value: nodes.Expression
) -> nodes.Expression:
    cursor.take_word("[")
    elements = node.slice
    index_start = cursor.skip()
    indices: list[nodes.Expression] = []
    has_comma = False
    for element in elements:
        indices.append(_index(cursor, element.slice))
        if type(element.comma) is cst.Comma:
            cursor.take_word(",")
            has_comma = True
    index = indices[0]
    if has_comma or type(index) is nodes.Starred:
        index = nodes.Display(index_start, cursor.position, "tuple", tuple(indices))
    cursor.take_word("]")
    return nodes.Subscript(start, cursor.position, value, index)


def _index(cursor: Cursor, index: Any) -> nodes.Expression:
    if type(index) is cst.Index:
        if not index.star:
            return expression(cursor, index.value)
        start = cursor.take_word("*")
        value = expression(cursor, index.value)
        return nodes.Starred(start, cursor.position, value)
    start = cursor.skip()
    lower = optional(cursor, index.lower)
    cursor.take_word(":")
    upper = optional(cursor, index.upper)
    step = None
    if type(index.second_colon) is cst.Colon:
        cursor.take_word(":")
        step = optional(cursor, index.step)
    return nodes.Slice(start, cursor.position, lower, upper, step)


def _binary(
    cursor: Cursor, node: cst.BinaryOperation, start: int, left: nodes.Expression
) -> nodes.Expression:
    operator = OPERATORS[type(node.operator)]
    cursor.take_word(operator)
    right = expression(cursor, node.right)
    return nodes.BinaryOperation(start, cursor.position, operator, left, right)


def _boolean(
    cursor: Cursor, node: cst.BooleanOperation, start: int, left: nodes.Expression
) -> nodes.Expression:
    operator = "and" if type(node.operator) is cst.And else "or"
    cursor.take_word(operator)
    right = expression(cursor, node.right)
    operands = (left, right)
    if type(left) is nodes.BooleanOperation and left.operator == operator and not node.left.lpar:
        operands = (*left.operands, right)
    return nodes.BooleanOperation(start, cursor.position, operator, operands)


def _comparison(
    cursor: Cursor, node: cst.Comparison, start: int, left: nodes.Expression
) -> nodes.Expression:
    operators: list[str] = []
    comparators: list[nodes.Expression] = []
    for target in node.comparisons:
        operator = OPERATORS[type(target.operator)]
        if operator == "!=" and isinstance(target.operator, cst.NotEqual):
            cursor.take_word(target.operator.value)
        else:
            for word in operator.split():
                cursor.take_word(word)
        operators.append(operator)
        comparators.append(expression(cursor, target.comparator))
    return nodes.Comparison(start, cursor.position, left, tuple(operators), tuple(comparators))


def _conditional(
    cursor: Cursor, node: cst.IfExp, start: int, body: nodes.Expression
) -> nodes.Expression:
    cursor.take_word("if")
    test = expression(cursor, node.test)
    cursor.take_word("else")
    orelse = expression(cursor, node.orelse)
    return nodes.Conditional(start, cursor.position, test, body, orelse)


LINKS: Final[dict[type[cst.CSTNode], Link]] = {
    cst.Attribute: _attribute,
    cst.Call: _call,
    cst.Subscript: _subscript,
    cst.BinaryOperation: _binary,
    cst.BooleanOperation: _boolean,
    cst.Comparison: _comparison,
    cst.IfExp: _conditional,
}
