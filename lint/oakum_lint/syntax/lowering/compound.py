"""Lowers statements that hold blocks.

Invariants:
- A compound statement ends where the last statement of its last block ends.
- A chain of `elif` of any length is lowered with a loop; blocks within blocks recurse, no deeper
  than the hundred levels of indentation that LibCST accepts.
"""

from collections.abc import Callable
from typing import Any, Final

from oakum_lint.syntax import nodes
from oakum_lint.syntax.lowering.cursor import Cursor, identifier
from oakum_lint.syntax.lowering.dispatch import expression, lower_all, optional
from oakum_lint.syntax.lowering.parameters import (
    lower_arguments,
    lower_parameters,
    skip_type_parameters,
)
from oakum_lint.syntax.lowering.patterns import pattern
from oakum_lint.syntax.lowering.plain_tree import cst
from oakum_lint.syntax.lowering.simple import SIMPLE, Simple
from oakum_lint.syntax.lowering.unknown import assignment, bound_names, outermost

Block = tuple[nodes.Statement, ...]


def block(cursor: Cursor, statements: Any) -> Block:
    """Lowers the statements of a module, an indented block or a line."""
    result: list[nodes.Statement] = []
    for statement in statements:
        if type(statement) is cst.SimpleStatementLine:
            _line(cursor, statement.body, result)
        else:
            result.append(_statement(cursor, statement, _COMPOUND))
    return tuple(result)


def _line(cursor: Cursor, statements: Any, result: list[nodes.Statement]) -> None:
    for statement in statements:
        result.append(_statement(cursor, statement, SIMPLE))
        if type(statement.semicolon) is cst.Semicolon:
            cursor.take_word(";")


def _statement(
    cursor: Cursor, node: Any, lowerings: dict[type[cst.CSTNode], Simple]
) -> nodes.Statement:
    """Lowers a statement. If its kind is not known, or its lowering fails, it is unknown."""
    start = cursor.skip()
    kind: type[cst.CSTNode] = node.__class__
    lower = lowerings.get(kind)
    if lower is None:
        return _unknown(cursor, node, start)
    try:
        return lower(cursor, node, start)
    except (RecursionError, MemoryError):
        raise
    except Exception as error:  # costs this statement
        cursor.failures.append((start, cursor.spans().of(node)[1], error))
        # Each level lowers its blocks again: nested failures must not double the work without end.
        if len(cursor.failures) > MOST_FAILURES:
            raise
        return _unknown(cursor, node, start, failed=True)


MOST_FAILURES: Final = 8


def _unknown(cursor: Cursor, node: Any, start: int, *, failed: bool = False) -> nodes.Statement:
    """Lowers a statement to what is known of it: the names it may bind, its expressions, and its
    blocks, of which any may run.
    """
    spans = cursor.spans()
    _, end = spans.of(node)
    inner, suites, has_scope = outermost(node, spans)
    names = bound_names(inner)
    parts = () if has_scope or failed else lower_all(cursor, inner)
    if not suites or has_scope or isinstance(node, cst.ClassDef):
        return assignment(cursor, start, end, names, parts)
    blocks: list[Block] = []
    for suite in suites:
        cursor.position = spans.of(suite.body[0])[0]
        blocks.append(_suite(cursor, suite))
    first = assignment(cursor, start, end, names, parts)
    line = cursor.text[start:end].splitlines()[0].rstrip()
    test = nodes.OpaqueExpression(start, start + len(line), ())
    *others, last = blocks
    result = nodes.If(start, end, test, (first, *last), ())
    for body in reversed(others):
        result = nodes.If(start, end, test, (first, *body), (result,))
    return result


def _body(cursor: Cursor, body: Any) -> Block:
    """Lowers what follows a colon, and the colon."""
    cursor.take_word(":")
    return _suite(cursor, body)


def _suite(cursor: Cursor, body: Any) -> Block:
    if type(body) is cst.IndentedBlock:
        return block(cursor, body.body)
    result: list[nodes.Statement] = []
    _line(cursor, body.body, result)
    return tuple(result)


def _orelse(cursor: Cursor, node: cst.Else | cst.Finally | None, word: str = "else") -> Block:
    if node is None:
        return ()
    cursor.take_word(word)
    return _body(cursor, node.body)


def _end(cursor: Cursor, *blocks: Block) -> int:
    """Where the last statement of the last block that has any ends."""
    for statements in reversed(blocks):
        if statements:
            return statements[-1].end
    return cursor.position


def _if(cursor: Cursor, node: cst.If, start: int) -> nodes.Statement:
    first = _one_if(cursor, node, start, "if")
    chain = [first]
    orelse = node.orelse
    while isinstance(orelse, cst.If):
        following = _one_if(cursor, orelse, cursor.skip(), "elif")
        chain[-1].orelse = (following,)
        chain.append(following)
        orelse = orelse.orelse
    last = chain[-1]
    last.orelse = _orelse(cursor, orelse)
    end = _end(cursor, last.body, last.orelse)
    for statement in chain:
        statement.end = end
    return first


def _one_if(cursor: Cursor, node: cst.If, start: int, word: str) -> nodes.If:
    """Lowers `if test: body`, still without its end and its alternative."""
    cursor.take_word(word)
    test = expression(cursor, node.test)
    return nodes.If(start, start, test, _body(cursor, node.body), ())


def _while(cursor: Cursor, node: cst.While, start: int) -> nodes.Statement:
    cursor.take_word("while")
    test = expression(cursor, node.test)
    body = _body(cursor, node.body)
    orelse = _orelse(cursor, node.orelse)
    return nodes.While(start, _end(cursor, body, orelse), test, body, orelse)


def _for(cursor: Cursor, node: cst.For, start: int) -> nodes.Statement:
    is_async = _asynchronous(cursor, node)
    cursor.take_word("for")
    target = expression(cursor, node.target)
    cursor.take_word("in")
    iterable = expression(cursor, node.iter)
    body = _body(cursor, node.body)
    orelse = _orelse(cursor, node.orelse)
    end = _end(cursor, body, orelse)
    return nodes.For(start, end, target, iterable, body, orelse, is_async)


def _asynchronous(cursor: Cursor, node: cst.For | cst.With | cst.FunctionDef) -> bool:
    if node.asynchronous is None:
        return False
    cursor.take_word("async")
    return True


def _with(cursor: Cursor, node: cst.With, start: int) -> nodes.Statement:
    is_async = _asynchronous(cursor, node)
    cursor.take_word("with")
    parenthesized = isinstance(node.lpar, cst.LeftParen)
    if parenthesized:
        cursor.take_word("(")
    items: list[nodes.WithItem] = []
    for item in node.items:
        item_start = cursor.skip()
        context = expression(cursor, item.item)
        target = None
        if item.asname is not None:
            cursor.take_word("as")
            target = expression(cursor, item.asname.name)
        items.append(nodes.WithItem(item_start, cursor.position, context, target))
        if type(item.comma) is cst.Comma:
            cursor.take_word(",")
    if parenthesized:
        cursor.take_word(")")
    body = _body(cursor, node.body)
    return nodes.With(start, _end(cursor, body), tuple(items), body, is_async)


def _try(cursor: Cursor, node: cst.Try | cst.TryStar, start: int) -> nodes.Statement:
    cursor.take_word("try")
    body = _body(cursor, node.body)
    handlers = tuple([_handler(cursor, handler) for handler in node.handlers])
    orelse = _orelse(cursor, node.orelse)
    final = _orelse(cursor, node.finalbody, "finally")
    end = _end(cursor, handlers[-1].body if handlers else body, orelse, final)
    return nodes.Try(start, end, body, handlers, orelse, final)


def _handler(cursor: Cursor, node: cst.ExceptHandler | cst.ExceptStarHandler) -> nodes.Handler:
    start = cursor.take_word("except")
    if isinstance(node, cst.ExceptStarHandler):
        cursor.take_word("*")
    caught = optional(cursor, node.type)
    name = None
    if node.name is not None:
        cursor.take_word("as")
        bound = expression(cursor, node.name.name)
        assert isinstance(bound, nodes.Name)
        name = bound.identifier
    body = _body(cursor, node.body)
    return nodes.Handler(start, _end(cursor, body), caught, name, body)


def _decorators(
    cursor: Cursor, node: cst.FunctionDef | cst.ClassDef
) -> tuple[nodes.Expression, ...]:
    result: list[nodes.Expression] = []
    for decorator in node.decorators:
        cursor.take_word("@")
        result.append(expression(cursor, decorator.decorator))
    return tuple(result)


def _function(cursor: Cursor, node: cst.FunctionDef, start: int) -> nodes.Statement:
    decorators = _decorators(cursor, node)
    is_async = _asynchronous(cursor, node)
    cursor.take_word("def")
    name_start = cursor.take_word(node.name.value)
    name = identifier(node.name.value)
    skip_type_parameters(cursor, node.type_parameters)
    cursor.take_word("(")
    parameters = lower_parameters(cursor, node.params)
    cursor.take_word(")")
    returns = None
    if node.returns is not None:
        cursor.take_word("->")
        returns = expression(cursor, node.returns.annotation)
    outer_yield = cursor.has_yield
    cursor.has_yield = False
    body = _body(cursor, node.body)
    is_generator = cursor.has_yield
    cursor.has_yield = outer_yield
    return nodes.FunctionDefinition(
        start,
        _end(cursor, body),
        name,
        name_start,
        parameters,
        body,
        decorators,
        returns,
        is_async,
        is_generator,
    )


def _class(cursor: Cursor, node: cst.ClassDef, start: int) -> nodes.Statement:
    decorators = _decorators(cursor, node)
    cursor.take_word("class")
    name_start = cursor.take_word(node.name.value)
    name = identifier(node.name.value)
    skip_type_parameters(cursor, node.type_parameters)
    bases: tuple[nodes.Expression, ...] = ()
    keywords: tuple[nodes.Keyword, ...] = ()
    if cursor.take_if("("):
        bases, keywords = lower_arguments(cursor, (*node.bases, *node.keywords))
        cursor.take_word(")")
    body = _body(cursor, node.body)
    end = _end(cursor, body)
    return nodes.ClassDefinition(start, end, name, name_start, bases, keywords, body, decorators)


def _match(cursor: Cursor, node: cst.Match, start: int) -> nodes.Statement:
    cursor.take_word("match")
    subject = expression(cursor, node.subject)
    cursor.take_word(":")
    cases: list[nodes.MatchCase] = []
    for case in node.cases:
        case_start = cursor.take_word("case")
        lowered = pattern(cursor, case.pattern)
        guard = None
        if case.guard is not None:
            cursor.take_word("if")
            guard = expression(cursor, case.guard)
        body = _body(cursor, case.body)
        cases.append(nodes.MatchCase(case_start, _end(cursor, body), lowered, guard, body))
    return nodes.Match(start, cases[-1].end if cases else cursor.position, subject, tuple(cases))


_COMPOUND: Final[dict[type[cst.CSTNode], Callable[[Cursor, Any, int], nodes.Statement]]] = {
    cst.If: _if,
    cst.While: _while,
    cst.For: _for,
    cst.With: _with,
    cst.Try: _try,
    cst.TryStar: _try,
    cst.FunctionDef: _function,
    cst.ClassDef: _class,
    cst.Match: _match,
}
