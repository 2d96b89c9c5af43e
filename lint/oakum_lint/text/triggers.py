"""What a file's text shows before it is split or parsed: its imports, and whether it matters.

Invariants:
- A file that these tests pass over holds nothing that a rule can report: they may let a file or
  unit through that is clean, and never hold one back that is not.
- Only regular expressions over the whole text; no line is looked at in Python.
"""

import re
from typing import Final

from oakum.values.records import dataclass
from oakum_lint.text.sieve import TRACER_LIBRARIES

_LIBRARIES = "|".join(TRACER_LIBRARIES)
_LIBRARY_IMPORT = re.compile(
    rf"^[ \t\f]*+(?:[^#'\"\n]*;[ \t]*)?(?:lazy[ \t]+)?(?:import|from)\b[^#\n;]*\b(?:{_LIBRARIES})\b"
    rf"|\b(?:import_module|__import__)\(",
    re.MULTILINE,
)


def imports_tracer_library(text: str) -> bool:
    """Whether some import statement names a library of the JAX family.

    >>> imports_tracer_library("from jax import numpy as jnp")
    True
    >>> imports_tracer_library("import numpy  # not jax")
    False
    """
    return _LIBRARY_IMPORT.search(_with_line_feeds(text)) is not None


def _with_line_feeds(text: str) -> str:
    """The text with line ends that `^` knows; what ends with a carriage return alone is a line."""
    return text.replace("\r", "\n") if "\r" in text else text


@dataclass(frozen=True, slots=True)
class ImportedModule:
    """A module that an import statement names; `level` counts the dots before it.

    `names` are what `from module import names` takes from it, `*` among them for a star import;
    empty for a plain import.
    """

    path: str
    level: int
    names: tuple[str, ...] = ()


_IMPORT = re.compile(
    r"import\b[ \t]*(?:\((?P<several>[^()]*)\)|(?P<names>(?:[^#\r\n;\\]++|\\(?:\r\n|[\r\n]))*+))"
)
_BEFORE = re.compile(
    r"(?:^|.*[;:])[ \t\f]*(?:lazy[ \t]+)?(?:from[ \t]*(?P<dots>[. \t]*)(?P<path>[\w.]*)[ \t]*)?$"
)
_LONGEST_LEAD: Final = 500
_COMMENT = re.compile(r"#[^\r\n]*|\\")
_DOTTED = re.compile(r"[^\W\d][\w.]*")


def imported_modules(text: str) -> tuple[ImportedModule, ...]:
    """The modules that import statements name anywhere in `text`, also in strings that look so.

    >>> text = "from .layers import (Dense,  # plain\\n  Conv as C)\\nimport a.b as c"
    >>> for module in imported_modules(text):
    ...     print(module.level, module.path, module.names)
    1 layers ('Dense', 'Conv')
    0 a.b ()
    """
    found: list[ImportedModule] = []
    for match in _IMPORT.finditer(text):
        start = match.start()
        line = max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1
        before = _BEFORE.match(text[line:start]) if start - line < _LONGEST_LEAD else None
        if before is None:
            continue
        names = _first_words(match["several"] or match["names"] or "")
        if before["path"] is None:
            found.extend(ImportedModule(path, 0) for path in names)
        else:
            found.append(ImportedModule(before["path"], before["dots"].count("."), names))
    return tuple(found)


def _first_words(names: str) -> tuple[str, ...]:
    """The names of a list of imports, without what they are bound to."""
    result: list[str] = []
    for part in _COMMENT.sub(" ", names).split(","):
        if part.strip() == "*":
            result.append("*")
        elif (match := _DOTTED.search(part)) is not None:
            result.append(match[0])
    return tuple(result)


_SCRIPT = re.compile(r"^(?:[^\W\d][\w.]*\(|(?:assert|for|while)\b|if __name__\b)", re.MULTILINE)


def is_script(text: str) -> bool:
    r"""Whether a file does something when it is run, beside binding names.

    >>> is_script("x = f(1)\nprint(x)"), is_script("def f(x):\n    print(x)\ny = f(1)")
    (True, False)
    """
    return _SCRIPT.search(_with_line_feeds(text)) is not None


_MAKES = re.compile(r"\(|=\s*\{|=\s*\[(?!\s*[\"'])|[-+*/@%]\s*\w")


def makes_something(text: str) -> bool:
    """Whether an assignment calls or computes something, or makes an object that may change.

    >>> makes_something("x = f()"), makes_something("x = y")
    (True, False)
    """
    return _MAKES.search(text) is not None


_CLASS = re.compile(r"class\b")


def is_class(text: str) -> bool:
    """Whether a unit is a class without decorators."""
    return _CLASS.match(text) is not None
