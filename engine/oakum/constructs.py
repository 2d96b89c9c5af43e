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
from typing import Any

from oakum.codes import TRACED_SLICE_BOUND, TRACER_TO_SCALAR, Code
from oakum.records import dataclass
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
    position = frames[0].tested if use is Use.BOOL else frames[0].position
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
    """What tests the value of the last node of a path for truth."""
    node = path[-1]
    if _is_bool_call(node):
        return Construct(Use.BOOL, ast.unparse(node), _receiver(node), Use.BOOL, TRACER_TO_SCALAR)
    value = _text(node)
    if _is_chain(node):
        return Construct(Use.BOOL, ast.unparse(node), None, Use.BOOL)
    for child, parent in zip(reversed(path), reversed(path[:-1]), strict=False):
        if isinstance(parent, ast.pattern) or _gives(parent, child):
            continue
        return _tested(child, parent, value) or Construct(
            Use.BOOL, ast.unparse(node), value, Use.BOOL
        )
    return None


def _gives(parent: ast.AST, child: ast.AST) -> bool:
    """Whether the value of a parent may be that of a child: who tests the one tests the other."""
    match parent:
        case ast.BoolOp(values=values):
            return values[-1] is child
        case ast.IfExp(test=test):
            return test is not child
        case _:
            return isinstance(parent, ast.NamedExpr)


def _text(node: ast.AST) -> str | None:
    return ast.unparse(node) if isinstance(node, ast.expr) else None


def _is_chain(node: ast.AST) -> bool:
    """Whether a comparison tests a value itself: a chain, or a search."""
    match node:
        case ast.Compare(ops=ops):
            return len(ops) > 1 or isinstance(ops[0], (ast.In, ast.NotIn))
        case _:
            return False


def _tested(child: ast.AST, parent: ast.AST, value: str | None) -> Construct | None:
    """How a parent tests a child; None where it does not."""
    shown: str | None = None
    use = Use.BRANCH
    match parent:
        case ast.BoolOp() | ast.UnaryOp(op=ast.Not()):
            use, shown = Use.BOOL, ast.unparse(parent)
        case ast.If(test=test) if test is child:
            shown = f"if {ast.unparse(test)}"
        case ast.Assert(test=test) if test is child:
            shown = f"assert {ast.unparse(test)}"
        case ast.While(test=test) if test is child:
            use, shown = Use.LOOP, f"while {ast.unparse(test)}"
        case ast.IfExp(test=test) if test is child:
            shown = ast.unparse(parent)
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            if any(test is child for part in parent.generators for test in part.ifs):
                shown = f"if {ast.unparse(child)}"
        case ast.Match(subject=subject, cases=cases):
            if isinstance(child, ast.pattern) or any(each.guard is child for each in cases):
                shown, value = f"match {ast.unparse(subject)}", ast.unparse(subject)
        case _:
            pass
    return None if shown is None else Construct(use, shown, value, Use.BOOL)


def _is_bool_call(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Name(id="bool")):
            return True
        case _:
            return False


def _index(path: list[ast.AST]) -> Construct | None:
    node = path[-1]
    if isinstance(node, ast.Subscript):
        code = TRACED_SLICE_BOUND if _has_computed_bound(node.slice) else None
        return Construct(
            Use.SEQUENCE_INDEX, ast.unparse(node), ast.unparse(node.slice), Use.INDEX, code
        )
    match node:
        case ast.Call(func=ast.Name("getitem") | ast.Attribute(attr="getitem"), args=[_, index]):
            return Construct(Use.SEQUENCE_INDEX, ast.unparse(node), ast.unparse(index), Use.INDEX)
        case _:
            pass
    return Construct(Use.INDEX, ast.unparse(node), _receiver(node), Use.INDEX)


def _has_computed_bound(index: ast.expr) -> bool:
    """Whether an index holds a slice with a bound that is no constant."""
    parts = index.elts if isinstance(index, ast.Tuple) else (index,)
    return any(
        bound is not None and not isinstance(bound, ast.Constant)
        for part in parts
        if isinstance(part, ast.Slice)
        for bound in (part.lower, part.upper, part.step)
    )


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
