"""Makes a program small: what it does without is left out, the larger parts first."""

import ast
from collections.abc import Iterator
from typing import Any

from oakum_lint.app.reduction.program import Program

_BLOCKS = ("body", "orelse", "finalbody", "handlers")
_PARTS = ("decorator_list", "args", "keywords", "bases", "elts", "names", "values")
_OPTIONAL = ("returns", "annotation", "exc", "msg")


def shrink(program: Program) -> None:
    """Leaves out what can be left out, until nothing more can."""
    changed = True
    while changed and not program.is_over:
        changed = _drop_modules(program)
        changed |= _drop_statements(program)
        changed |= _unwrap(program)
        changed |= _drop_parts(program)
        changed |= _simplify(program)


def _drop_modules(program: Program) -> bool:
    dropped = False
    for name in [*program.trees]:
        if len(program.trees) > 1:
            tree = program.trees.pop(name)
            if program.holds():
                dropped = True
            else:
                program.trees[name] = tree
    return dropped


def _drop_statements(program: Program) -> bool:
    """Drops runs of statements: of each block all of it first, then a half, and so on."""
    dropped = False
    for block in _lists(program, _BLOCKS):
        size = len(block)
        while size:
            for start in range(len(block) - size, -size, -size):
                first = max(start, 0)
                left = [*block[:first], *block[first + size :]]
                if len(left) < len(block) and not _is_pass(block):
                    dropped |= _put(program, block, left or [ast.Pass()])
            size //= 2
    return dropped


def _is_pass(block: list[Any]) -> bool:
    return len(block) == 1 and isinstance(block[0], ast.Pass)


def _unwrap(program: Program) -> bool:
    """Puts the body of a compound statement in its place."""
    unwrapped = False
    for block in _lists(program, ("body", "orelse", "finalbody")):
        for statement in [*block]:
            inner = getattr(statement, "body", None)
            if isinstance(inner, list) and statement in block:
                at = block.index(statement)
                unwrapped |= _put(program, block, [*block[:at], *inner, *block[at + 1 :]])
    return unwrapped


def _drop_parts(program: Program) -> bool:
    """Drops decorators, arguments, elements and annotations."""
    dropped = False
    for parts in _lists(program, _PARTS):
        for part in [*parts]:
            left = [each for each in parts if each is not part]
            if len(left) < len(parts):
                dropped |= _put(program, parts, left)
    for node in program.nodes():
        for field in _OPTIONAL:
            if getattr(node, field, None) is not None:
                dropped |= _set(program, node, field, None)
    return dropped


def _simplify(program: Program) -> bool:
    """Puts a part of an expression in its place, or a number."""
    simpler = False
    for node in program.nodes():
        for field, value in ast.iter_fields(node):
            if isinstance(value, ast.expr) and not isinstance(value, ast.Name | ast.Constant):
                parts = [each for each in ast.iter_child_nodes(value) if isinstance(each, ast.expr)]
                tried = parts if field == "func" else [ast.Constant(1), *parts]
                simpler |= any(_set(program, node, field, each) for each in tried)
    return simpler


def _lists(program: Program, fields: tuple[str, ...]) -> Iterator[list[Any]]:
    for node in program.nodes():
        for field in fields:
            found = getattr(node, field, None)
            if isinstance(found, list):
                yield found


def _put(program: Program, block: list[Any], new: list[Any]) -> bool:
    """Has a list hold something else, if the program still holds."""
    before = [*block]
    block[:] = new
    if program.holds():
        return True
    block[:] = before
    return False


def _set(program: Program, node: ast.AST, field: str, new: ast.AST | None) -> bool:
    """Has a field hold something else, if the program still holds."""
    before = getattr(node, field)
    setattr(node, field, new)
    if program.holds():
        return True
    setattr(node, field, before)
    return False
