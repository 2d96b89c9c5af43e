"""The examples at a prompt in the docstrings of a module, as a program beside it.

The program imports what the module binds, as `doctest` has it; the examples of a docstring are a
function of their own, which is called. Each line of code stands on its own line and in its own
columns, so that places in the program are places in the module.

Invariant: examples that are no Python, or that show an exception, are none.
"""

import ast
import re
import symtable
from collections.abc import Sequence
from typing import Final

from oakum_lint.text.notebook.documents import FIRST_PROMPT, session

_LINE_END = re.compile(r"\r\n?|\n")
_INDENT = re.compile(r"[ \t]*")
_FIRST: Final = 2
"""The first line, from 0, that an example may stand on: imports and the function are above it."""


EXAMPLES: Final = "examples_of_"
"""How the name of a function begins that holds the examples of a docstring."""


def examples_of(text: str, module: str) -> str:
    """The program of the examples in a module; "" where it has none.

    >>> examples_of('"Doc.\\n\\n>>> x\\n"'.replace('"', '"' * 3), "a").splitlines()
    ['', 'def examples_of_module():', '    x', 'examples_of_module()']
    """
    if ">>>" not in text:
        return ""
    try:
        tree = ast.parse(text)
        names = _bound(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""
    lines = _LINE_END.split(text)
    shown = [""] * len(lines)
    found = False
    for node in ast.walk(tree):
        if not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        first = node.body[0] if node.body else None
        if not isinstance(first, ast.Expr) or not isinstance(first.value, ast.Constant):
            continue
        if isinstance(first.value.value, str):
            name = "module" if isinstance(node, ast.Module) else node.name
            found |= _show(lines, first.lineno, (first.end_lineno or 0) - 1, name, shown)
    if not found:
        return ""
    if names:
        shown[0] = f"from {module} import {', '.join(names)}"
    return "\n".join(shown)


def _bound(text: str) -> list[str]:
    """What a module binds."""
    symbols = symtable.symtable(text, "module", "exec").get_symbols()
    return sorted(s.get_name() for s in symbols if s.is_assigned() or s.is_imported())


def _show(lines: Sequence[str], first: int, end: int, name: str, shown: list[str]) -> bool:
    """Puts the examples on the lines of a docstring behind its first into the program, as a
    function; whether there are any.
    """
    place, indent, begun = max(first, _FIRST), None, 0
    while place < end:
        start = place
        place = next((n for n in range(start, end) if not lines[n].strip()), end)
        prompts = [n for n in range(start, place) if FIRST_PROMPT.match(lines[n])]
        if prompts:
            found = _INDENT.match(lines[prompts[0]])
            own = "" if found is None else found[0]
            if indent in (None, own):  # another depth would end the function
                code = session(lines[prompts[0] : place])
                shown[prompts[0] : place] = code
                if any(code) and indent is None:
                    indent, begun = own, prompts[0]
        place += 1
    if indent is None:
        return False
    shown[begun - 1] = f"def {EXAMPLES}{name}():"
    shown[end] = f"{EXAMPLES}{name}()"
    return True
