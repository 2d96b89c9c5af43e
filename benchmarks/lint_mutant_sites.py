"""Where the linter's source can be changed so that a test should fail, and how.

Each site is a span of one module and the text that takes its place. Docstrings, annotations,
`__repr__`, overloads, what only a type checker sees, how objects lie in memory (`slots`) and checks
that sequences are of one length (`strict`) are left out, and None in the place of `False`: no test
can tell them apart.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

_SWAPPED: dict[type[ast.cmpop], ast.cmpop] = {
    ast.Lt: ast.LtE(),
    ast.LtE: ast.Lt(),
    ast.Gt: ast.GtE(),
    ast.GtE: ast.Gt(),
    ast.Eq: ast.NotEq(),
    ast.NotEq: ast.Eq(),
    ast.Is: ast.IsNot(),
    ast.IsNot: ast.Is(),
    ast.In: ast.NotIn(),
    ast.NotIn: ast.In(),
}


_UNSEEN = ("slots", "strict")
"""Keywords without which a program does the same."""


_EMPTY = ("None", "False")
"""Results for which None is as good where their truth is asked; `False` becomes `True`."""


@dataclass(frozen=True, slots=True)
class Site:
    """A place in a module: its first and last offset in bytes, what stands there after the change,
    and the line of the statement that it is in.
    """

    file: str
    operator: str
    start: int
    end: int
    text: str
    line: int


def statements_of(tree: ast.Module) -> list[ast.stmt]:
    """Returns the statements of a module, in the order of their numbers."""
    found: list[ast.stmt] = []
    pending: list[ast.AST] = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.stmt):
            found.append(node)
        pending.extend(ast.iter_child_nodes(node))
    return sorted(found, key=lambda node: (node.lineno, node.col_offset))


def sites_in(file: str, source: str) -> list[Site]:
    """Returns the sites of a module."""
    offsets = [0]
    for line in source.splitlines(keepends=True):
        offsets.append(offsets[-1] + len(line.encode()))
    data = source.encode()
    found: list[Site] = []
    for statement, change in _changes(ast.parse(source)):
        first, last = change.first, change.last
        assert last.end_lineno is not None
        assert last.end_col_offset is not None
        start = offsets[first.lineno - 1] + first.col_offset
        end = offsets[last.end_lineno - 1] + last.end_col_offset
        if data[start:end].decode() != change.text:
            found.append(Site(file, change.operator, start, end, change.text, statement.lineno))
    return found


def changed(source: str, site: Site) -> str:
    """Returns the source of a module with one change."""
    data = source.encode()
    return (data[: site.start] + site.text.encode() + data[site.end :]).decode()


@dataclass(frozen=True, slots=True)
class _Change:
    first: ast.expr | ast.stmt
    last: ast.expr | ast.stmt
    operator: str
    text: str


def _changes(tree: ast.Module) -> Iterator[tuple[ast.stmt, _Change]]:
    """Yields what may be changed, each with its statement."""
    pending: list[tuple[ast.stmt | None, ast.AST]] = [(None, tree)]
    while pending:
        statement, node = pending.pop()
        if isinstance(node, ast.stmt):
            statement = node
        if statement is not None and isinstance(node, ast.expr | ast.stmt):
            for change in _of_node(node):
                yield statement, change
        pending.extend((statement, child) for child in _children(node))


def _children(node: ast.AST) -> Iterator[ast.AST]:
    """Yields the parts of a node that a test can tell from other ones."""
    match node:
        case ast.FunctionDef(name="__repr__" | "__str__") | ast.arg() | ast.JoinedStr():
            return
        case ast.Assign(targets=[ast.Name(id="bad" | "good")]):
            return  # The examples of rules are tests themselves.
        case ast.FunctionDef(decorator_list=[ast.Name(id="overload")]):
            return
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            yield from node.orelse
        case ast.keyword(arg=name) if name in _UNSEEN:
            return
        case ast.AnnAssign(value=value):
            if value is not None:
                yield value
        case ast.FunctionDef(args=args, body=body, decorator_list=decorators):
            yield from (args, *decorators, *filter(_is_code, body))
        case _:
            yield from filter(_is_code, ast.iter_child_nodes(node))


def _is_code(node: ast.AST) -> bool:
    """Whether a statement is no text: the docstring of what it is in, or of the field above it."""
    return not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))


def _of_node(node: ast.expr | ast.stmt) -> Iterator[_Change]:
    """Yields how one node may be changed."""
    match node:
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            pass
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
            yield _Change(test, test, "condition negated", f"(not ({ast.unparse(test)}))")
            if isinstance(node, ast.If):
                yield _Change(node.body[0], node.body[-1], "branch emptied", "pass")
        case ast.Return(value=value) if value is not None and ast.unparse(value) not in _EMPTY:
            yield _Change(node, node, "result dropped", "return None")
        case ast.Expr(value=ast.Call()) | ast.AugAssign() | ast.Delete():
            yield _Change(node, node, "statement deleted", "pass")
        case ast.Break():
            yield _Change(node, node, "break/continue swapped", "continue")
        case ast.Continue():
            yield _Change(node, node, "break/continue swapped", "break")
        case ast.Call(keywords=[*kept, ast.keyword(arg=str() as name)]) if name not in _UNSEEN:
            shorter = ast.Call(node.func, node.args, kept)
            yield _Change(node, node, "argument dropped", ast.unparse(shorter))
        case ast.expr():
            yield from _of_value(node)
        case _:
            pass


def _of_value(node: ast.expr) -> Iterator[_Change]:
    match node:
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            swapped = ast.Compare(left, [_SWAPPED[type(op)]], [right])
            yield _Change(node, node, "comparison swapped", f"({ast.unparse(swapped)})")
        case ast.BoolOp(op=op, values=values):
            other = ast.BoolOp(ast.Or() if isinstance(op, ast.And) else ast.And(), values)
            yield _Change(node, node, "and/or swapped", f"({ast.unparse(other)})")
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield _Change(node, node, "not dropped", f"({ast.unparse(operand)})")
        case ast.Constant(value=bool(value)):
            yield _Change(node, node, "constant changed", repr(not value))
        case ast.Constant(value=int(value)):
            yield _Change(node, node, "constant changed", repr(value + 1))
        case ast.Constant(value=str(value)) if value:
            yield _Change(node, node, "constant changed", '""')
        case _:
            pass
