"""The source of a function that runs, where the text at hand certainly is what was compiled.

A file may have changed since it was imported, another one may have the name that was given to
`compile`, and a prompt has no file at all. So the text is compiled again and compared with the code
that runs, down to the columns.

Invariants:
- Nothing of the user's is run. Sources are read only when an error is about to be raised.
- The name or the expression that has a value is found by comparing the value itself, so an error
  never names the module, the list or the other array that stands beside it; attributes and items
  are read only where nothing can be called for it.
"""

from __future__ import annotations
import __future__

import ast
import builtins
import functools
import itertools
import linecache
import sys
from collections.abc import Iterator, Mapping
from types import CodeType, FrameType
from typing import Any, Final

from oakum.tracing import prompt_text
from oakum.values.user_frames import UserFrame

_REWRITTEN = "@py"
"""Names with this beginning are those of pytest, which compiles `assert` in its own way."""


def text_of(frame: FrameType) -> str:
    """Returns the text at hand for the code of a frame: a file, the command line, or what was typed
    at a prompt; "" if none.
    """
    name = frame.f_code.co_filename
    if name in prompt_text.PROMPTS:
        return next((text for text in prompt_text.texts(frame) if _is_of(text, frame)), "")
    # For modules out of a zip file the loader has the source.
    lines = linecache.getlines(name, frame.f_globals)
    if lines or name != "<string>":
        return "".join(lines)
    pairs = itertools.pairwise(sys.orig_argv)
    return next((text for option, text in pairs if option == "-c"), "")


def text_of_code(code: CodeType) -> str:
    """Returns the text of the file that a function's code was compiled from; "" if there is none,
    or another one by now.
    """
    text = "".join(linecache.getlines(code.co_filename))
    parsed = _parse(text, code.co_flags & _FUTURES) if text else None
    found = () if parsed is None else parsed[1].get(code.co_name, ())
    return text if any(_is_same(each, code) for each in found) else ""


def tree_of(frame: FrameType) -> ast.Module | None:
    """Returns the syntax tree of the file of a frame, if it is what runs there; else None."""
    text = text_of(frame)
    parsed = _parse(text, frame.f_code.co_flags & _FUTURES) if text else None
    return parsed[0] if parsed is not None and _is_of(text, frame) else None


def _is_of(text: str, frame: FrameType) -> bool:
    """Whether a text is what the code of a frame was compiled from."""
    code = frame.f_code
    parsed = _parse(text, code.co_flags & _FUTURES)
    if parsed is None:
        return False
    tree, codes = parsed
    if any(_is_same(each, code) for each in codes.get(code.co_name, ())):
        return True
    return any(_is_same(each, code) for each in _alone(tree, frame.f_lineno))


def _alone(tree: ast.Module, line: int) -> Iterator[CodeType]:
    """Yields the codes of the statement at a line as IPython and prompts compile it: by itself. A
    call of what another statement has imported is compiled otherwise there.
    """
    for statement in tree.body:
        if statement.lineno <= line <= (statement.end_lineno or line):
            module, typed = ast.Module([statement], []), ast.Interactive([statement])
            yield from _codes(compile(module, "<source>", "exec", dont_inherit=True))
            yield from _codes(compile(typed, "<source>", "single", dont_inherit=True))


def _codes(code: CodeType) -> Iterator[CodeType]:
    """Yields a code, and those of the functions in it."""
    waiting = [code]
    while waiting:
        code = waiting.pop()
        yield code
        waiting += [each for each in code.co_consts if isinstance(each, CodeType)]


_FUTURES = __future__.annotations.compiler_flag
"""What code may inherit from the program that compiles it, as a prompt hands it on."""


@functools.lru_cache(maxsize=16)
def _parse(text: str, features: int) -> tuple[ast.Module, dict[str, list[CodeType]]] | None:
    """Returns the tree of a text, and the codes that it is compiled to, by their names."""
    try:
        tree = ast.parse(text)
        whole = compile(text, "<source>", "exec", features, dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    codes: dict[str, list[CodeType]] = {}
    for code in _codes(whole):
        codes.setdefault(code.co_name, []).append(code)
    return tree, codes


def _is_same(compiled: CodeType, running: CodeType) -> bool:
    """Whether two codes come from one text at one place in its file."""
    if compiled.co_firstlineno != running.co_firstlineno:
        return False
    if any(name.startswith(_REWRITTEN) for name in running.co_varnames):
        count = compiled.co_argcount
        return compiled.co_varnames[:count] == running.co_varnames[:count]
    return (
        compiled.co_code == running.co_code
        and compiled.co_names == running.co_names
        and compiled.co_varnames == running.co_varnames
        and _constants(compiled) == _constants(running)
        and list(compiled.co_positions()) == list(running.co_positions())
    )


def _constants(code: CodeType) -> list[str]:
    """Returns the constants of a code; those that are code are compared by themselves."""
    return [repr(each) for each in code.co_consts if not isinstance(each, CodeType)]


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
