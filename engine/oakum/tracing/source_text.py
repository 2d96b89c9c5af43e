"""The source of a function that runs, where the text at hand certainly is what was compiled.

A file may have changed since it was imported, another one may have the name that was given to
`compile`, and a prompt has no file at all. So the text is compiled again and compared with the code
that runs, down to the columns.

Invariants:
- Nothing of the user's is run. Sources are read only when an error is about to be raised.
- Importing this module imports only the standard library.
"""

from __future__ import annotations
import __future__

import ast
import functools
import linecache
from types import CodeType, FrameType

_REWRITTEN = "@py"
"""Names with this beginning are those of pytest, which compiles `assert` in its own way."""


def tree_of(frame: FrameType) -> ast.Module | None:
    """Returns the syntax tree of the file of a frame, if it is what runs there; else None."""
    code = frame.f_code
    # For modules out of a zip file the loader has the source.
    text = "".join(linecache.getlines(code.co_filename, frame.f_globals))
    parsed = _parse(text, code.co_flags & _FUTURES) if text else None
    if parsed is None:
        return None
    tree, codes = parsed
    if any(_is_same(each, code) for each in codes.get(code.co_name, ())):
        return tree
    return None


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
    waiting = [whole]
    while waiting:
        code = waiting.pop()
        codes.setdefault(code.co_name, []).append(code)
        waiting += [each for each in code.co_consts if isinstance(each, CodeType)]
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
