"""Finds the construct of the user's program that asks a tracer for its value.

Python calls the same method for `if x:`, `while x:`, `x and y`; the instruction that is running
has a position in the source, where the construct is read. If the source is missing, only the
instructions are read. Either happens only when an error is about to be raised.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import FrameType
from typing import Any, Final

from oakum.tracing import bytecode, source_text
from oakum.values.codes import TRACED_SLICE_BOUND, TRACER_TO_SCALAR, Code
from oakum.values.records import dataclass
from oakum.values.user_frames import UserFrame
from oakum.values.uses import Use


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


@dataclass(frozen=True, slots=True)
class Value:
    """The tracer that is asked, where it was made, and the frame that asks."""

    tracer: object
    source: tuple[UserFrame, ...]
    frame: FrameType

    def among(self, *nodes: ast.expr) -> str | None:
        """Returns the expression in one of these that has the value."""
        return source_text.spelled(list(nodes), self.frame, self.tracer, self.source)

    def in_call(self, node: ast.Call) -> str | None:
        """Returns the argument of a call that has the value; of one argument, that one if it may
        be.
        """
        arguments = [*node.args, *(keyword.value for keyword in node.keywords)]
        known = self.among(*arguments)
        if known is None and len(arguments) == 1:
            known = source_text.certain(arguments[0], self.frame)
        return known


def find(
    use: Use, tracer: object, source: tuple[UserFrame, ...], frame: FrameType
) -> Construct | None:
    """Returns the construct at the innermost of the user's frames; None if none can be found."""
    value = Value(tracer, source, frame)
    try:
        path = _find_path(use, frame)
        seen = _classify(use, path, value) if path else None
        if seen is not None:
            return seen
        asked = bytecode.find_use(use, frame.f_code, frame.f_lasti)
    except (ValueError, IndexError, RecursionError):
        return None
    if asked is None:
        return None
    name = source_text.local_name(frame, tracer)
    return Construct(asked.use, asked.text, name, use, asked.code)


def node_at(frame: FrameType, instruction: int | None = None) -> ast.AST | None:
    """Returns the expression that a frame computes by an instruction, if not by another one by that
    which runs; None if it cannot be read.
    """
    at = frame.f_lasti if instruction is None else instruction
    position = UserFrame(frame.f_code, at).position
    tree = source_text.tree_of(frame) if position is not None else None
    path = [] if tree is None or position is None else _path(tree, position)
    return path[-1] if path and _spans(path[-1]) == position else None


def _find_path(use: Use, frame: FrameType) -> list[ast.AST]:
    """Returns the nodes around what the instruction of a frame uses, outermost first."""
    here = UserFrame(frame.f_code, frame.f_lasti)
    position = here.tested if use is Use.BOOL else here.position
    tree = source_text.tree_of(frame) if position is not None else None
    return [] if tree is None or position is None else _path(tree, position)


Position = tuple[int, int, int, int]


def _spans(node: ast.AST) -> Position | None:
    line, end = getattr(node, "lineno", None), getattr(node, "end_lineno", None)
    if line is None or end is None:
        return None
    return line, node.col_offset, end, node.end_col_offset  # type: ignore[attr-defined]


def _path(tree: ast.Module, position: Position) -> list[ast.AST]:
    """Returns the nodes around a position, outermost first; the last one has that very position."""
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


def _classify(use: Use, path: list[ast.AST], value: Value) -> Construct | None:
    match use:
        case Use.BOOL:
            return _truth(path, value)
        case Use.INDEX:
            return _index(path, value)
        case Use.ARRAY:
            return _array(path, value)
        case Use.FLOAT | Use.INT | Use.COMPLEX:
            return _number(use, path, value)
        case Use.FORMAT if any(isinstance(node, ast.JoinedStr) for node in path):
            return _find_f_string(path, value)
        case _:
            return Construct(use, ast.unparse(path[-1]), _operand(path[-1], value), use)


_METHODS: Final = frozenset(("item", "tolist", "tobytes", "__array__", "__index__"))
"""Methods of arrays that ask them for their value."""


def _operand(node: ast.AST, value: Value) -> str | None:
    """Returns the part of an expression that has the value."""
    match node:
        case ast.Call(func=ast.Attribute(value=receiver, attr=attribute)):
            known = value.among(receiver) or value.in_call(node)
            if known is None and attribute in _METHODS and not node.args:
                known = source_text.certain(receiver, value.frame)
            return known
        case ast.Call():
            return value.in_call(node)
        case ast.Subscript():
            return value.among(node.slice, node.value)
        case ast.expr():
            return value.among(node)
        case _:
            return None


def _truth(path: list[ast.AST], value: Value) -> Construct | None:
    """Returns the construct that tests the value of the last node of a path for truth."""
    node = path[-1]
    if isinstance(node, ast.Call) and bytecode.is_call(value.frame.f_code, value.frame.f_lasti):
        code = TRACER_TO_SCALAR if _is_bool_call(node) else None
        return Construct(Use.BOOL, ast.unparse(node), _operand(node, value), Use.BOOL, code)
    if _is_chain(node):
        return Construct(Use.BOOL, ast.unparse(node), None, Use.BOOL)
    text = _text(node)
    if isinstance(node, ast.Assert):  # as pytest compiles it: its parts have the place of the whole
        path.append(node.test)
        node, text = node.test, value.among(node.test) or ast.unparse(node.test)
    for child, parent in zip(reversed(path), reversed(path[:-1]), strict=False):
        if isinstance(parent, ast.pattern) or _gives(parent, child):
            continue
        return _find_test(child, parent, text) or Construct(
            Use.BOOL, ast.unparse(node), text, Use.BOOL
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


def _find_test(child: ast.AST, parent: ast.AST, value: str | None) -> Construct | None:
    """Returns the construct with which a parent tests a child; None if it does not test it."""
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


def _index(path: list[ast.AST], value: Value) -> Construct | None:
    node = path[-1]
    if isinstance(node, ast.Subscript):
        code = TRACED_SLICE_BOUND if _has_computed_bound(node.slice) else None
        index = value.among(node.slice)
        if index is None and not isinstance(node.slice, (ast.Slice, ast.Tuple)):
            index = source_text.certain(node.slice, value.frame)
        return Construct(Use.SEQUENCE_INDEX, ast.unparse(node), index, Use.INDEX, code)
    match node:
        case ast.Call(func=ast.Name("getitem") | ast.Attribute(attr="getitem"), args=[_, index]):
            use = Use.SEQUENCE_INDEX
            return Construct(use, ast.unparse(node), value.among(index), Use.INDEX)
        case _:
            pass
    return Construct(Use.INDEX, ast.unparse(node), _operand(node, value), Use.INDEX)


def _has_computed_bound(index: ast.expr) -> bool:
    """Whether an index holds a slice with a bound that is no constant."""
    parts = index.elts if isinstance(index, ast.Tuple) else (index,)
    return any(
        bound is not None and not isinstance(bound, ast.Constant)
        for part in parts
        if isinstance(part, ast.Slice)
        for bound in (part.lower, part.upper, part.step)
    )


def _array(path: list[ast.AST], value: Value) -> Construct | None:
    node: Any = path[-1]
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
        return Construct(Use.NUMPY_ITEM, f"{ast.unparse(node)} = ...", None, Use.ARRAY)
    if isinstance(node, ast.Subscript):
        index = value.among(node.slice) or source_text.certain(node.slice, value.frame)
        return Construct(Use.NUMPY_INDEX, ast.unparse(node), index, Use.ARRAY)
    return Construct(Use.ARRAY, ast.unparse(node), _operand(node, value), Use.ARRAY)


def _number(use: Use, path: list[ast.AST], value: Value) -> Construct | None:
    node = path[-1]
    if isinstance(node, ast.Assign | ast.AugAssign | ast.Subscript):
        return Construct(Use.NUMPY_ITEM, ast.unparse(node), None, use)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
        kind = Use.PERCENT_INTEGER if use is Use.INT else Use.PERCENT_FLOAT
        return Construct(kind, ast.unparse(node), value.among(node.right), use)
    return Construct(use, ast.unparse(node), _operand(node, value), use)


def _find_f_string(path: list[ast.AST], value: Value) -> Construct:
    """Returns the f-string around a value that is formatted; its parts have no places of
    their own.
    """
    text = next(node for node in path if isinstance(node, ast.JoinedStr))
    parts = [node for node in ast.walk(text) if isinstance(node, ast.FormattedValue)]
    with_format = [part.value for part in parts if part.format_spec is not None]
    operand = value.among(*with_format)
    if operand is None and len(with_format) == 1:
        operand = source_text.certain(with_format[0], value.frame)
    return Construct(Use.FORMAT, ast.unparse(text), operand, Use.FORMAT)
