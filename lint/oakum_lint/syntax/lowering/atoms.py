"""Lowers expressions that begin with a token of their own: names, numbers, operators, lambda."""

from typing import Final

from oakum_lint.syntax import nodes
from oakum_lint.syntax.lowering.cursor import Cursor
from oakum_lint.syntax.lowering.dispatch import Leaf, expression, lower_name, optional
from oakum_lint.syntax.lowering.operators import OPERATORS
from oakum_lint.syntax.lowering.parameters import lower_parameters
from oakum_lint.syntax.lowering.plain_tree import cst
from oakum_lint.text import literals


def _name(cursor: Cursor, node: cst.Name, _start: int) -> nodes.Expression:
    return lower_name(cursor, node)


def _integer(cursor: Cursor, node: cst.Integer, start: int) -> nodes.Expression:
    cursor.position = end = start + len(node.value)
    value = literals.integer(node.value)
    if value is None:
        return nodes.OpaqueExpression(start, end, ())
    return nodes.Constant(start, end, value)


def _float(cursor: Cursor, node: cst.Float, start: int) -> nodes.Expression:
    cursor.position = end = start + len(node.value)
    return nodes.Constant(start, end, float(node.value))


def _imaginary(cursor: Cursor, node: cst.Imaginary, start: int) -> nodes.Expression:
    cursor.position = end = start + len(node.value)
    return nodes.Constant(start, end, complex(node.value))


def _ellipsis(cursor: Cursor, node: cst.Ellipsis, start: int) -> nodes.Expression:
    cursor.position = start + 3
    return nodes.Constant(start, start + 3, ...)


def _unary(cursor: Cursor, node: cst.UnaryOperation, start: int) -> nodes.Expression:
    operator = OPERATORS[type(node.operator)]
    cursor.position = start + len(operator)
    operand = expression(cursor, node.expression)
    return nodes.UnaryOperation(start, cursor.position, operator, operand)


def _await(cursor: Cursor, node: cst.Await, start: int) -> nodes.Expression:
    cursor.take_word("await")
    value = expression(cursor, node.expression)
    return nodes.Await(start, cursor.position, value)


def _yield(cursor: Cursor, node: cst.Yield, start: int) -> nodes.Expression:
    cursor.take_word("yield")
    cursor.has_yield = True
    value = node.value
    if type(value) is cst.From:
        cursor.take_word("from")
        item = expression(cursor, value.item)
        return nodes.Yield(start, cursor.position, item, True)
    lowered = optional(cursor, value)
    return nodes.Yield(start, cursor.position if lowered else start + 5, lowered, False)


def _named(cursor: Cursor, node: cst.NamedExpr, start: int) -> nodes.Expression:
    target = expression(cursor, node.target)
    assert isinstance(target, nodes.Name)
    cursor.take_word(":=")
    value = expression(cursor, node.value)
    return nodes.NamedExpression(start, cursor.position, target, value)


def _starred(cursor: Cursor, node: cst.StarredElement, start: int) -> nodes.Expression:
    cursor.take_word("*")
    value = expression(cursor, node.value)
    return nodes.Starred(start, cursor.position, value)


def _lambda(cursor: Cursor, node: cst.Lambda, start: int) -> nodes.Expression:
    cursor.take_word("lambda")
    outer_yield = cursor.has_yield
    parameters = lower_parameters(cursor, node.params)
    cursor.take_word(":")
    body = expression(cursor, node.body)
    cursor.has_yield = outer_yield
    return nodes.Lambda(start, cursor.position, parameters, body)


ATOMS: Final[dict[type[cst.CSTNode], Leaf]] = {
    cst.Name: _name,
    cst.Integer: _integer,
    cst.Float: _float,
    cst.Imaginary: _imaginary,
    cst.Ellipsis: _ellipsis,
    cst.UnaryOperation: _unary,
    cst.Await: _await,
    cst.Yield: _yield,
    cst.NamedExpr: _named,
    cst.StarredElement: _starred,
    cst.Lambda: _lambda,
}
