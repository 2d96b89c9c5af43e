"""Which construct of the user's program asks a tracer for its value.

Python calls the same method for `if x:`, `while x:`, `x and y`; the instruction that is running
tells where in the source it stands, and the source tells what it is. Sources are read only when an
error is about to be raised.
"""

from __future__ import annotations

import ast
import functools
import linecache
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from oakum.codes import TRACER_TO_SCALAR, Code
from oakum.sources import UserFrame
from oakum.uses import Use


@dataclass(frozen=True, slots=True)
class Construct:
    """A use in the user's program: what it is, how it is written, and the operand's expression.

    `asked` is the use that Python's own method call stands for, `code` another code than the use's.
    """

    use: Use
    text: str
    operand: str | None
    asked: Use
    code: Code | None = None


def find(use: Use, frames: Sequence[UserFrame]) -> Construct | None:
    """The construct at the innermost of the user's frames; None where the source does not tell."""
    if not frames:
        return None
    position = frames[0].position
    tree = _parse(frames[0].code.co_filename)
    if position is None or tree is None:
        return None
    path = _path(tree, position)
    if not path:
        return None
    try:
        return _classify(use, path)
    except (ValueError, RecursionError):
        return None


@functools.lru_cache(maxsize=64)
def _parse(file: str) -> ast.Module | None:
    lines = linecache.getlines(file)
    try:
        return ast.parse("".join(lines)) if lines else None
    except (SyntaxError, ValueError, RecursionError):
        return None


Position = tuple[int, int, int, int]


def _spans(node: ast.AST) -> Position | None:
    line, end = getattr(node, "lineno", None), getattr(node, "end_lineno", None)
    if line is None or end is None:
        return None
    return line, node.col_offset, end, node.end_col_offset  # type: ignore[attr-defined]


def _path(tree: ast.Module, position: Position) -> list[ast.AST]:
    """The nodes around a position, outermost first; the last one has that very position."""
    path: list[ast.AST] = []
    node: ast.AST | None = tree
    while node is not None:
        path.append(node)
        node = next((child for child in _children(node) if _covers(child, position)), None)
    return path if _spans(path[-1]) == position or len(path) > 1 else []


def _children(node: ast.AST) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(node):
        if _spans(child) is not None:
            yield child
        else:
            yield from ast.iter_child_nodes(child)


def _covers(node: ast.AST, position: Position) -> bool:
    span = _spans(node)
    if span is None:
        return False
    return span[:2] <= position[:2] and position[2:] <= span[2:]


def _classify(use: Use, path: list[ast.AST]) -> Construct | None:
    match use:
        case Use.BOOL:
            return _truth(path)
        case Use.INDEX:
            return _index(path)
        case Use.ARRAY:
            return _array(path)
        case Use.FLOAT | Use.INT | Use.COMPLEX:
            return _number(use, path)
        case _:
            return Construct(use, ast.unparse(path[-1]), _receiver(path[-1]), use)


def _receiver(node: ast.AST) -> str | None:
    match node:
        case ast.Call(func=ast.Attribute(value=value)):
            return ast.unparse(value)
        case ast.Call(args=[argument]):
            return ast.unparse(argument)
        case ast.Subscript(value=value):
            return ast.unparse(value)
        case _:
            return None


def _truth(path: list[ast.AST]) -> Construct | None:
    node = path[-1]
    if isinstance(node, ast.IfExp):
        return Construct(Use.BRANCH, ast.unparse(node), ast.unparse(node.test), Use.BOOL)
    if _is_bool_call(node):
        return Construct(Use.BOOL, ast.unparse(node), _receiver(node), Use.BOOL, TRACER_TO_SCALAR)
    for depth in range(len(path) - 1, max(len(path) - 5, 0), -1):
        child, parent = path[depth], path[depth - 1]
        found = _truth_of(child, parent)
        if found is not None:
            return found
        if not isinstance(child, ast.expr):
            break
    return Construct(Use.BOOL, ast.unparse(node), _receiver(node), Use.BOOL) if isinstance(node, ast.expr) else _statement(node)


def _statement(node: ast.AST) -> Construct | None:
    match node:
        case ast.If(test=test):
            return Construct(Use.BRANCH, f"if {ast.unparse(test)}", ast.unparse(test), Use.BOOL)
        case ast.While(test=test):
            return Construct(Use.LOOP, f"while {ast.unparse(test)}", ast.unparse(test), Use.BOOL)
        case ast.Assert(test=test):
            return Construct(Use.BRANCH, f"assert {ast.unparse(test)}", ast.unparse(test), Use.BOOL)
        case _:
            return None


def _truth_of(child: ast.AST, parent: ast.AST) -> Construct | None:
    """What a truth test of a child in its parent is; None where the parent does not test it."""
    if isinstance(child, (ast.BoolOp, ast.Compare, ast.UnaryOp)) and _is_boolean_operation(child):
        return Construct(Use.BOOL, ast.unparse(child), None, Use.BOOL)
    text = ast.unparse(child) if isinstance(child, ast.expr) else None
    match parent:
        case ast.BoolOp() | ast.UnaryOp(op=ast.Not()):
            return Construct(Use.BOOL, ast.unparse(parent), text, Use.BOOL)
        case ast.If(test=test) | ast.While(test=test) | ast.Assert(test=test) if test is child:
            return _statement(parent)
        case ast.IfExp(test=test) if test is child:
            shown = f"{ast.unparse(parent)}"
            return Construct(Use.BRANCH, shown, text, Use.BOOL)
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            if any(test is child for part in parent.generators for test in part.ifs):
                return Construct(Use.BRANCH, f"if {text}", text, Use.BOOL)
            return None
        case ast.Match(subject=subject, cases=cases):
            if isinstance(child, ast.pattern) or any(each.guard is child for each in cases):
                shown = f"match {ast.unparse(subject)}"
                return Construct(Use.BRANCH, shown, ast.unparse(subject), Use.BOOL)
            return None
        case _:
            return None


def _is_boolean_operation(node: ast.AST) -> bool:
    match node:
        case ast.BoolOp() | ast.UnaryOp(op=ast.Not()):
            return True
        case ast.Compare(ops=ops):
            return len(ops) > 1 or isinstance(ops[0], (ast.In, ast.NotIn))
        case _:
            return False


def _is_bool_call(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Name(id="bool")):
            return True
        case _:
            return False


def _index(path: list[ast.AST]) -> Construct | None:
    node = path[-1]
    if isinstance(node, ast.Subscript):
        return Construct(
            Use.SEQUENCE_INDEX, ast.unparse(node), ast.unparse(node.slice), Use.INDEX
        )
    return Construct(Use.INDEX, ast.unparse(node), _receiver(node), Use.INDEX)


def _array(path: list[ast.AST]) -> Construct | None:
    node: Any = path[-1]
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
        return Construct(Use.NUMPY_ITEM, f"{ast.unparse(node)} = ...", None, Use.ARRAY)
    if isinstance(node, ast.Subscript):
        return Construct(Use.NUMPY_INDEX, ast.unparse(node), ast.unparse(node.slice), Use.ARRAY)
    return Construct(Use.ARRAY, ast.unparse(node), _receiver(node), Use.ARRAY)


def _number(use: Use, path: list[ast.AST]) -> Construct | None:
    node = path[-1]
    if isinstance(node, ast.Assign | ast.AugAssign | ast.Subscript):
        return Construct(Use.NUMPY_ITEM, ast.unparse(node), None, use)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
        kind = Use.PERCENT_INTEGER if use is Use.INT else Use.PERCENT_FLOAT
        return Construct(kind, ast.unparse(node), ast.unparse(node.right), use)
    return Construct(use, ast.unparse(node), _receiver(node), use)
