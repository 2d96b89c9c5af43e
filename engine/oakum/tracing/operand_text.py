"""Finds the name or the expression of the user's program that certainly has a value.

A name is looked up where it stands and compared with the value itself, so that an error never names
the module, the list or the other array that stands beside it.

Invariants:
- No code of the user runs: attributes and items are read only where nothing can be called for it.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Mapping
from types import FrameType
from typing import Any, Final

from oakum.values.user_frames import UserFrame

_MISSING: Final = object()

_DISPLAYS = (
    *(ast.List, ast.Tuple, ast.Set, ast.Dict, ast.ListComp, ast.SetComp, ast.DictComp),
    *(ast.GeneratorExp, ast.Starred, ast.Constant, ast.JoinedStr, ast.Lambda),
)
"""What holds a value, or is none."""


def local_name(frame: FrameType, value: object) -> str | None:
    """Returns the variable of a function that has a value."""
    names = (name for name, each in frame.f_locals.items() if each is value)
    return next((name for name in names if name.isidentifier()), None)


def spelled(
    nodes: list[ast.expr], frame: FrameType, value: object, source: tuple[UserFrame, ...]
) -> str | None:
    """Returns the expression in the given ones that has a value, or has just computed it."""
    parts = [part for node in nodes for part in ast.walk(node) if isinstance(part, ast.expr)]
    for part in parts:
        if evaluate(part, frame) is value:
            return ast.unparse(part)
    places = {each.position for each in source if each.code is frame.f_code}
    for part in parts:
        if _span(part) in places:
            return ast.unparse(part)
    return None


def certain(node: ast.expr, frame: FrameType) -> str | None:
    """Returns the spelling of an expression that can only have the value: one that is no display,
    and is not known to have another value.
    """
    if isinstance(node, _DISPLAYS) or evaluate(node, frame) is not _MISSING:
        return None
    return ast.unparse(node)


def evaluate(node: ast.expr, frame: FrameType) -> object:
    """Returns the value of an expression, `_MISSING` if it cannot be read without running code."""
    steps: list[ast.Attribute | ast.Subscript] = []
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        steps.append(node)
        node = node.value
    if not isinstance(node, ast.Name):
        return _MISSING
    value = _variable(node.id, frame)
    for step in reversed(steps):
        if value is _MISSING:
            break
        value = _attribute(value, step) if isinstance(step, ast.Attribute) else _item(value, step)
    return value


def _variable(name: str, frame: FrameType) -> object:
    places: Iterator[Mapping[str, object]] = iter((frame.f_locals, frame.f_globals, vars(builtins)))
    return next((place[name] for place in places if name in place), _MISSING)


def _attribute(value: object, step: ast.Attribute) -> object:
    # Past `__getattr__`, properties and all else that would run for it.
    try:
        own: dict[str, object] = object.__getattribute__(value, "__dict__")
    except AttributeError:
        return _MISSING
    of_class = any(step.attr in vars(each) for each in type(value).__mro__)
    return _MISSING if of_class or type(own) is not dict else own.get(step.attr, _MISSING)


def _item(value: Any, step: ast.Subscript) -> object:
    if type(value) not in (dict, list, tuple) or not isinstance(step.slice, ast.Constant):
        return _MISSING
    try:
        return value[step.slice.value]
    except (LookupError, TypeError):
        return _MISSING


def _span(node: ast.expr) -> tuple[int, int, int | None, int | None]:
    return node.lineno, node.col_offset, node.end_lineno, node.end_col_offset
