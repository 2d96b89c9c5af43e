"""The file in which a project keeps the findings that it knows, for the linter and for tests.

    {"version": 1, "findings": {"src/train.py": [{"code": "OAK201", "line": "if x > 0:"}]}}

An entry is known by its file, its code and the text of the flagged line. Files are named relative
to the baseline, with slashes: it holds for any working directory.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final, cast

_VERSION: Final = 1

Entry = tuple[str, str, str]
"""The file, the code, and the text of the flagged line."""


def inside(path: str, root: str) -> str:
    """Returns a path as the baseline in a folder names it."""
    return os.path.relpath(path, root).replace(os.sep, "/")


def line_text(text: str) -> str:
    """Returns a line without what formatters change: each run of blanks in it is one.

    >>> line_text("    x  =  y\\n")
    'x = y'
    """
    return " ".join(text.split())


def entries_of(text: bytes) -> Counter[Entry]:
    """Reads a baseline; JSON of another form raises KeyError, TypeError or AttributeError, what is
    no JSON ValueError or RecursionError.
    """
    table = cast("Mapping[str, object]", json.loads(text))
    if table["version"] != _VERSION:
        raise KeyError(table["version"])
    found: Counter[Entry] = Counter()
    files = cast("Mapping[str, Iterable[Mapping[str, object]]]", table["findings"])
    for path, listed in files.items():
        for each in listed:
            code, line, count = each["code"], each["line"], each.get("count", 1)
            if not (isinstance(code, str) and isinstance(line, str) and isinstance(count, int)):
                raise TypeError
            found[path, code, line] += count
    return found


def text_of(entries: Mapping[Entry, int]) -> str:
    """Returns a baseline as it is written."""
    listed: dict[str, list[dict[str, object]]] = {}
    for (path, code, line), count in sorted(entries.items()):
        entry: dict[str, object] = {"code": code, "line": line}
        if count > 1:
            entry["count"] = count
        listed.setdefault(path, []).append(entry)
    return json.dumps({"version": _VERSION, "findings": listed}, indent=2) + "\n"
