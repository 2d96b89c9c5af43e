"""Registries as text: containers of a module that other modules add to when they are imported.

What is asked for here says only whether it is worth while to run a file: to run one too many costs
time, and finds nothing that is not there.
"""

import re
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import TypeVar

from oakum_lint.text.imports.import_graph import Files, imported_files

U = TypeVar("U")

_CONTAINER = re.compile(
    r"^[ \t]*([^\W\d]\w*)(?:[ \t]*:[^\n=]*)?[ \t]*=[ \t]*"
    r"(?:\{|\[|(?:\w+\.)*(?:dict|list|set|defaultdict|OrderedDict)\b)",
    re.MULTILINE,
)
_ADDED_TO = re.compile(
    r"^[ \t]+(?:\w+\.)*(\w+)(?:\[[^\n]*\][ \t]*=(?!=)"
    r"|\.(?:add|append|extend|insert|setdefault|update)\()",
    re.MULTILINE,
)
_ACTS = re.compile(r"^(?:@|class[ \t]+\w+[ \t]*\(|[^\W\d][\w.]*\()", re.MULTILINE)


def holds_registry(text: str) -> bool:
    """Whether a function in a file adds to a container of the file or of a class in it.

    >>> holds_registry("KINDS = {}\\ndef register(name, kind):\\n    KINDS[name] = kind\\n")
    True
    >>> holds_registry("KINDS = {}\\ndef build(name):\\n    return KINDS[name]\\n")
    False
    """
    return not {match[1] for match in _CONTAINER.finditer(text)}.isdisjoint(
        match[1] for match in _ADDED_TO.finditer(text)
    )


def acts_when_imported(text: str) -> bool:
    """Whether a file decorates, derives or calls something when it is imported.

    >>> acts_when_imported("@register\\nclass Net: ..."), acts_when_imported("def f(): ...")
    (True, False)
    """
    return _ACTS.search(text) is not None


def leading_to_entries(
    imports: Mapping[U, Collection[Path]],
    registries: Collection[Path],
    read: Callable[[Path], str],
    disk: Files,
) -> frozenset[U]:
    """The imports that lead to a file which adds to what one of the `registries` holds, by the
    files that they import.
    """
    importers: dict[Path, list[Path]] = {}
    leading: set[Path] = set()
    stack = [path for paths in imports.values() for path in paths]
    seen: set[Path] = set()
    while stack:
        path = stack.pop()
        if path in seen:
            continue
        seen.add(path)
        text = read(path)
        imported = [*imported_files(path, text, disk)]
        if acts_when_imported(text) and not set(imported).isdisjoint(registries):
            leading.add(path)
        for each in imported:
            importers.setdefault(each, []).append(path)
        stack += imported
    stack = [*leading]
    while stack:
        new = [path for path in importers.get(stack.pop(), ()) if path not in leading]
        leading.update(new)
        stack += new
    return frozenset(unit for unit, paths in imports.items() if not leading.isdisjoint(paths))
