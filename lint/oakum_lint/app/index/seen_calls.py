"""What functions were called with in runs of programs (`oakum run`), kept for the editor: an entry
a file, in which functions stand by their qualified names.

Invariants:
- A function is known by its text: one that was edited since was not seen.
- Calls of several runs are added up, also of runs at the same time.
- Only files are kept that lie in the project, and that are what they were when the run began.
"""

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final, TypedDict, cast

from oakum_lint.app.index.folder import CacheFolder, open_folder
from oakum_lint.app.project_context import find_root
from oakum_lint.syntax import nodes
from oakum_lint.syntax.module import ModuleFacts, UnitFacts
from oakum_lint.syntax.walk import parts_in
from oakum_lint.text.reads import digest_of_text
from oakum_lint.text.source import Unreadable, read_source

_KIND: Final = "calls"
_FORM: Final = 1
"""The form of entries: those of another are not looked for."""
_LARGEST: Final = 8 * 1024 * 1024
"""Bytes that the entries of one project take at most: a function takes some 300."""
_MOST_FORMS: Final = 8
"""So many different calls of a function are kept."""

Form = tuple[Sequence[str], str, int]
"""What calls were: the forms of the arguments, that of the result, and how many there were."""


class SeenFunction(TypedDict):
    """What is kept of a function."""

    text: str
    """What stands for its text."""
    parameters: Sequence[str]
    calls: int
    forms: Sequence[Form]


class CalledFunction(TypedDict):
    """What a run notes of a function."""

    file: str
    name: str
    line: int
    """Where its first decorator stands, or its `def`."""
    parameters: Sequence[str]
    calls: int
    forms: Sequence[Form]


_Entry = dict[str, SeenFunction]


def keep_calls(program: str, called: Iterable[CalledFunction], began: int) -> None:
    """Keeps what a run has seen, for the project that the program lies in; the run began at a time,
    in nanoseconds.
    """
    root = find_root(program)
    folder = None if root is None else open_folder(root)
    if folder is None:
        return
    files: dict[str, list[CalledFunction]] = {}
    for each in called:
        files.setdefault(each["file"], []).append(each)
    for file, functions in files.items():
        if find_root(file) == root and _was_so(file, began):
            seen = _located(Path(file), functions)
            folder.change(_KIND, _name_of(file), _LARGEST, partial(_merged, seen))
    folder.shrink(_KIND, _LARGEST)


def calls_in(folder: CacheFolder, file: str) -> Mapping[str, SeenFunction]:
    """What is kept of the functions of a file, by its real path."""
    return _read(folder.read(_KIND, _name_of(file), _LARGEST))


def calls_of(
    kept: Mapping[str, SeenFunction],
    unit: UnitFacts,
    name: str,
    definition: nodes.FunctionDefinition,
) -> SeenFunction | None:
    """What is kept of a function; None where that was seen with another text, or not at all."""
    found = kept.get(name)
    return found if found is not None and found["text"] == _text_of(unit, definition) else None


def functions_in(unit: UnitFacts) -> Iterator[tuple[str, nodes.FunctionDefinition]]:
    """The functions of a unit with their qualified names, the outer before the inner.

    >>> from oakum_lint.text.source import Source
    >>> text = "class A:\\n    def f(self):\\n        def g(): pass\\n"
    >>> (unit,) = ModuleFacts(Source.from_text(text)).units
    >>> [name for name, _ in functions_in(unit)]
    ['A.f', 'A.f.<locals>.g']
    """
    pending: list[tuple[str, nodes.Node]] = [("", each) for each in unit.body]
    while pending:
        prefix, node = pending.pop()
        match node:
            case nodes.FunctionDefinition():
                yield f"{prefix}{node.name}", node
                prefix = f"{prefix}{node.name}.<locals>."
            case nodes.ClassDefinition():
                prefix = f"{prefix}{node.name}."
            case _:
                pass
        pending += [(prefix, each) for each in parts_in(node)]


def _located(file: Path, called: Sequence[CalledFunction]) -> _Entry:
    """The functions that were called, with what stands for their texts."""
    source = read_source(file)
    if isinstance(source, Unreadable):
        return {}
    known: dict[tuple[str, int], str] = {}
    for unit in ModuleFacts(source).units:
        for name, definition in functions_in(unit):
            line, _ = source.place(unit.base + definition.start)
            known[name, line] = _text_of(unit, definition)
    found: _Entry = {}
    for each in called:
        text = known.get((each["name"], each["line"]))
        if text is not None:
            seen: SeenFunction = {
                "text": text,
                "parameters": each["parameters"],
                "calls": each["calls"],
                "forms": each["forms"],
            }
            found[each["name"]] = _added(found.get(each["name"]), seen)
    return found


def _merged(seen: _Entry, body: bytes | None) -> bytes:
    """An entry with what another run has seen; of functions that this one has not called, what was
    seen before stays.
    """
    kept = dict(_read(body))
    for name, each in seen.items():
        kept[name] = _added(kept.get(name), each)
    return json.dumps(kept, separators=(",", ":")).encode()


def _added(before: SeenFunction | None, seen: SeenFunction) -> SeenFunction:
    if before is None or before["text"] != seen["text"]:
        return seen
    counts: dict[tuple[tuple[str, ...], str], int] = {}
    for arguments, result, count in (*before["forms"], *seen["forms"]):
        form = tuple(arguments), result
        if form in counts or len(counts) < _MOST_FORMS:
            counts[form] = counts.get(form, 0) + count
    return {
        "text": seen["text"],
        "parameters": seen["parameters"],
        "calls": before["calls"] + seen["calls"],
        "forms": [(*form, count) for form, count in counts.items()],
    }


def _read(body: bytes | None) -> Mapping[str, SeenFunction]:
    try:
        return {} if body is None else cast(_Entry, json.loads(body))
    except ValueError:
        return {}


def _name_of(file: str) -> str:
    return f"{digest_of_text(f'{_FORM}:{file}')}.json"


def _text_of(unit: UnitFacts, definition: nodes.FunctionDefinition) -> str:
    """What stands for a function's text: where it stands, and how far to the right, is no part."""
    return digest_of_text(unit.raw[definition.start : definition.end])


def _was_so(file: str, began: int) -> bool:
    """Whether a file was not written since a run began."""
    try:
        return os.stat(file).st_mtime_ns < began
    except OSError:
        return False
