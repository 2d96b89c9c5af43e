"""Lowers simple statements: those that hold no block."""

from collections.abc import Callable
from typing import Any, Final

from oakum_lint.syntax import nodes
from oakum_lint.syntax.lowering.cursor import Cursor, identifier
from oakum_lint.syntax.lowering.dispatch import expression, optional
from oakum_lint.syntax.lowering.operators import AUGMENTED_OPERATORS
from oakum_lint.syntax.lowering.parameters import skip_type_parameters
from oakum_lint.syntax.lowering.plain_tree import cst

Simple = Callable[[Cursor, Any, int], nodes.Statement]


def _expression(cursor: Cursor, node: cst.Expr, _start: int) -> nodes.Statement:
    start = cursor.skip()
    value = expression(cursor, node.value)
    return nodes.ExpressionStatement(start, cursor.position, value)


def _assign(cursor: Cursor, node: cst.Assign, start: int) -> nodes.Statement:
    targets: list[nodes.Expression] = []
    for target in node.targets:
        targets.append(expression(cursor, target.target))
        cursor.take_word("=")
    value = expression(cursor, node.value)
    return nodes.Assignment(start, cursor.position, tuple(targets), value)


def _augmented(cursor: Cursor, node: cst.AugAssign, start: int) -> nodes.Statement:
    target = expression(cursor, node.target)
    operator = AUGMENTED_OPERATORS[type(node.operator)]
    cursor.take_word(operator + "=")
    value = expression(cursor, node.value)
    return nodes.AugmentedAssignment(start, cursor.position, target, operator, value)


def _annotated(cursor: Cursor, node: cst.AnnAssign, start: int) -> nodes.Statement:
    target = expression(cursor, node.target)
    cursor.take_word(":")
    annotation = expression(cursor, node.annotation.annotation)
    value = None
    if node.value is not None:
        cursor.take_word("=")
        value = expression(cursor, node.value)
    return nodes.AnnotatedAssignment(start, cursor.position, target, annotation, value)


def _type_alias(cursor: Cursor, node: cst.TypeAlias, start: int) -> nodes.Statement:
    cursor.take_word("type")
    target = expression(cursor, node.name)
    skip_type_parameters(cursor, node.type_parameters)
    cursor.take_word("=")
    value = expression(cursor, node.value)
    return nodes.Assignment(start, cursor.position, (target,), value)


def _return(cursor: Cursor, node: cst.Return, start: int) -> nodes.Statement:
    cursor.take_word("return")
    value = optional(cursor, node.value)
    return nodes.Return(start, cursor.position, value)


def _raise(cursor: Cursor, node: cst.Raise, start: int) -> nodes.Statement:
    cursor.take_word("raise")
    value = optional(cursor, node.exc)
    cause = None
    if node.cause is not None:
        cursor.take_word("from")
        cause = expression(cursor, node.cause.item)
    return nodes.Raise(start, cursor.position, value, cause)


def _assert(cursor: Cursor, node: cst.Assert, start: int) -> nodes.Statement:
    cursor.take_word("assert")
    test = expression(cursor, node.test)
    message = None
    if node.msg is not None:
        cursor.take_word(",")
        message = expression(cursor, node.msg)
    return nodes.Assert(start, cursor.position, test, message)


def _delete(cursor: Cursor, node: cst.Del, start: int) -> nodes.Statement:
    cursor.take_word("del")
    target = expression(cursor, node.target)
    targets = (target,)
    if isinstance(target, nodes.Display) and not node.target.lpar and target.kind == "tuple":
        targets = target.elements
    return nodes.Delete(start, cursor.position, targets)


def _scope(cursor: Cursor, node: cst.Global | cst.Nonlocal, start: int) -> nodes.Statement:
    kind = "global" if isinstance(node, cst.Global) else "nonlocal"
    cursor.take_word(kind)
    names: list[str] = []
    for item in node.names:
        cursor.take_word(item.name.value)
        names.append(identifier(item.name.value))
        if type(item.comma) is cst.Comma:
            cursor.take_word(",")
    return nodes.ScopeDeclaration(start, cursor.position, kind, tuple(names))


def _import(cursor: Cursor, node: cst.Import, start: int) -> nodes.Statement:
    cursor.take_word("import")
    names = _aliases(cursor, node.names)
    return nodes.Import(start, names[-1].end, names)


def _aliases(cursor: Cursor, aliases: Any) -> tuple[nodes.ImportName, ...]:
    result: list[nodes.ImportName] = []
    for alias in aliases:
        start = cursor.skip()
        path = _dotted(expression(cursor, alias.name))
        bound = None
        if alias.asname is not None:
            cursor.take_word("as")
            cursor.take_word(alias.asname.name.value)
            bound = identifier(alias.asname.name.value)
        result.append(nodes.ImportName(start, cursor.position, path, bound))
        if type(alias.comma) is cst.Comma:
            cursor.take_word(",")
    return tuple(result)


def _dotted(name: nodes.Expression) -> str:
    parts: list[str] = []
    while isinstance(name, nodes.Attribute):
        parts.append(name.attribute)
        name = name.value
    if isinstance(name, nodes.Name):
        parts.append(name.identifier)
    return ".".join(reversed(parts))


def _import_from(cursor: Cursor, node: cst.ImportFrom, start: int) -> nodes.Statement:
    cursor.take_word("from")
    for _ in node.relative:
        cursor.take_word(".")
    module = "" if node.module is None else _dotted(expression(cursor, node.module))
    cursor.take_word("import")
    if isinstance(node.names, cst.ImportStar):
        star = cursor.take_word("*")
        names = (nodes.ImportName(star, star + 1, "*", None),)
    else:
        parenthesized = node.lpar is not None
        if parenthesized:
            cursor.take_word("(")
        names = _aliases(cursor, node.names)
        if parenthesized:
            cursor.take_word(")")
    return nodes.ImportFrom(start, cursor.position, module, len(node.relative), names)


def _lazy_import(cursor: Cursor, node: Any, start: int) -> nodes.Statement:
    cursor.take_word("lazy")
    return _import(cursor, node, start)


def _lazy_import_from(cursor: Cursor, node: Any, start: int) -> nodes.Statement:
    cursor.take_word("lazy")
    return _import_from(cursor, node, start)


def _break(cursor: Cursor, _node: cst.Break, start: int) -> nodes.Statement:
    cursor.take_word("break")
    return nodes.Break(start, cursor.position)


def _continue(cursor: Cursor, _node: cst.Continue, start: int) -> nodes.Statement:
    cursor.take_word("continue")
    return nodes.Continue(start, cursor.position)


def _pass(cursor: Cursor, _node: cst.Pass, start: int) -> nodes.Statement:
    cursor.take_word("pass")
    return nodes.Pass(start, cursor.position)


SIMPLE: Final[dict[type[cst.CSTNode], Simple]] = {
    cst.Expr: _expression,
    cst.Assign: _assign,
    cst.AugAssign: _augmented,
    cst.AnnAssign: _annotated,
    cst.TypeAlias: _type_alias,
    cst.Return: _return,
    cst.Raise: _raise,
    cst.Assert: _assert,
    cst.Del: _delete,
    cst.Global: _scope,
    cst.Nonlocal: _scope,
    cst.Import: _import,
    cst.ImportFrom: _import_from,
    cst.LazyImport: _lazy_import,
    cst.LazyImportFrom: _lazy_import_from,
    cst.Break: _break,
    cst.Continue: _continue,
    cst.Pass: _pass,
}
