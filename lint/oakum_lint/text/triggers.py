"""What a file's text shows before it is split or parsed: its imports, and whether it matters.

Invariants:
- A file that these tests pass over holds nothing that a rule can report: they may let a file or
  unit through that is clean, and never hold one back that is not.
- Only regular expressions over the whole text; no line is looked at in Python.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from oakum.values.records import dataclass
from oakum_lint.text.sieve import TRACER_LIBRARIES

_LIBRARIES = "|".join(TRACER_LIBRARIES)
_NAMED_IMPORT = (
    rf"^[ \t\f]*+(?:[^#'\"\n]*;[ \t]*)?(?:lazy[ \t]+)?(?:import|from)\b[^#\n;]*\b(?:{_LIBRARIES})\b"
)
_LIBRARY_IMPORT = re.compile(
    rf"{_NAMED_IMPORT}|\b(?:import_module|__import__)\(",
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


def names_tracer_library(text: str) -> bool:
    """Whether an import statement names such a library: one by a name that is computed does not.

    >>> names_tracer_library("import jax"), names_tracer_library("__import__(name)")
    (True, False)
    """
    return re.search(_NAMED_IMPORT, _with_line_feeds(text), re.MULTILINE) is not None


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
_BY_NAME = (
    (
        ("import_module(", "__import__(", "run_module("),
        re.compile(r"""\b(?:import_module|__import__|run_module)\(\s*["'](?P<module>[\w.]+)["']"""),
    ),
    (
        ("run_path(", "open("),
        re.compile(r"""\b(?:run_path|open)\(\s*["'](?P<module>\w+)\.py["']"""),
    ),
    ((":",), re.compile(r"""["'](?P<module>[\w.]+):\w+["']""")),
)
"""A module that is imported or run by a text: by its name, its file, or as an entry point says;
each pattern behind what stands in all that it matches. Looked for in all texts at once, these took
20% of a check after an edit of one file of 240."""
_LONGEST_LEAD: Final = 500
_TEXTS: Final = 128
"""So many texts are looked through once. While somebody types, the file and the imports of each of
its versions were looked through five times: 4 of 46 ms of CPU for a key in 1,200 lines."""
_COMMENT = re.compile(r"#[^\r\n]*|\\")
_DOTTED = re.compile(r"[^\W\d][\w.]*")


@lru_cache(maxsize=_TEXTS)
def imported_modules(text: str) -> tuple[ImportedModule, ...]:
    """The modules that import statements name anywhere in `text`, also in strings that look so, and
    those that are imported by their names, or run.

    >>> text = "from .layers import (Dense,  # plain\\n  Conv as C)\\nimport a.b as c"
    >>> for module in imported_modules(text):
    ...     print(module.level, module.path, module.names)
    1 layers ('Dense', 'Conv')
    0 a.b ()
    """
    found: list[ImportedModule] = []
    for lead, listed in _imports(text):
        names = _first_words(listed)
        if lead["path"] is None:
            found.extend(ImportedModule(path, 0) for path in names)
        else:
            found.append(ImportedModule(lead["path"], lead["dots"].count("."), names))
    named = [
        match
        for words, pattern in _BY_NAME
        if any(word in text for word in words)
        for match in pattern.finditer(text)
    ]
    named.sort(key=lambda match: match.start())
    found += [ImportedModule(match["module"], 0) for match in named]
    return tuple(found)


def imports_by_name(text: str) -> bool:
    """Whether a file gets hold of modules by their names.

    >>> imports_by_name('importlib.import_module("a")'), imports_by_name("import a")
    (True, False)
    """
    return re.search(r"\b(?:import_module|__import__)\(", text) is not None


def _imports(text: str) -> Iterator[tuple[re.Match[str], str]]:
    """What stands before `import` in each import statement, and what it lists."""
    for match in _IMPORT.finditer(text):
        start = match.start()
        line = max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1
        lead = _BEFORE.match(text[line:start]) if start - line < _LONGEST_LEAD else None
        if lead is not None:
            yield lead, match["several"] or match["names"] or ""


def _first_words(names: str) -> tuple[str, ...]:
    """The names of a list of imports, without what they are bound to."""
    result: list[str] = []
    for part in _COMMENT.sub(" ", names).split(","):
        if part.strip() == "*":
            result.append("*")
        elif (match := _DOTTED.search(part)) is not None:
            result.append(match[0])
    return tuple(result)


@dataclass(frozen=True, slots=True)
class ImportedName:
    """What one name is bound to by an import statement: `name` of a module, or the module itself
    (`name` is "").
    """

    bound: str
    path: str
    level: int
    name: str


def imported_names(text: str) -> Iterator[ImportedName]:
    r"""What the import statements anywhere in `text` bind; `import a.b` binds `a`, with the path of
    what is imported.

    >>> for found in imported_names("from .layers import Dense, Conv as C\nimport a.b"):
    ...     print([found.bound, found.level, found.path, found.name])
    ['Dense', 1, 'layers', 'Dense']
    ['C', 1, 'layers', 'Conv']
    ['a', 0, 'a.b', '']
    """
    for lead, names in _imports(text):
        path = lead["path"]
        level = 0 if path is None else lead["dots"].count(".")
        for part in _COMMENT.sub(" ", names).split(","):
            words = part.split()
            if not words or not (words[0] == "*" or _DOTTED.match(words[0])):
                continue
            alias = words[2] if len(words) > 2 and words[1] == "as" else ""
            if path is None:
                yield ImportedName(alias or words[0].partition(".")[0], words[0], 0, "")
            else:
                yield ImportedName(alias or words[0], path, level, words[0])


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
_FUNCTION = re.compile(r"(?:\s|#[^\r\n]*[\r\n])*(?:async[ \t]+)?def\b")


def is_class(text: str) -> bool:
    """Whether a unit is a class without decorators."""
    return _CLASS.match(text) is not None


def is_function(text: str) -> bool:
    """Whether a unit is a function without decorators.

    >>> is_function("# Adds.\\ndef f(x): ..."), is_function("@jit\\ndef f(x): ...")
    (True, False)
    """
    return _FUNCTION.match(text) is not None


_HEADER = re.compile(r"\([^()'\"#]*\)[^()'\"#:]*:")


def is_bare_function(text: str) -> bool:
    """Whether a unit is a function whose definition calls nothing: no decorator, and no default or
    annotation with a call or a text, in which a bracket might stand.

    >>> is_bare_function("def f(x: int, y=1) -> int: ..."), is_bare_function("def f(x=g()): ...")
    (True, False)
    """
    found = _FUNCTION.match(text)
    begin = -1 if found is None else text.find("(", found.end())
    return begin >= 0 and _HEADER.match(text, begin) is not None
