"""Open documents: their texts as they are in the editor, and what files their URIs name.

Invariants:
- A document keeps its URI as the client wrote it: it is sent back so.
- The text is the editor's, character by character: edits say by places what they change.
"""

import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final
from urllib.parse import unquote_to_bytes, urlsplit

from oakum.values.records import dataclass
from oakum_lint.text.source import LARGEST_FILE
from oakum_lsp.parameters import Reader
from oakum_lsp.positions import characters
from oakum_lsp.protocol import Position, Range

_LINE_END: Final = re.compile(r"\r\n|\r|\n")
_WINDOWS: Final = os.name == "nt"


@dataclass(frozen=True, slots=True, eq=False)
class Document:
    """One version of an open document; another version is another object.

    `refusal` says why the text is not analysed, in a sentence without its full stop. `cell` says of
    which notebook it is a cell; its path is that of the notebook then.
    """

    uri: str
    path: str
    text: str
    version: int | None
    refusal: str | None
    cell: "CellPlace | None" = None

    @property
    def file_uri(self) -> str:
        """The URI of the file that it is, or is a part of."""
        return self.uri if self.cell is None else self.cell.notebook


@dataclass(frozen=True, slots=True)
class CellPlace:
    """The URI of a notebook, and the number of a cell among all that the editor has sent of it."""

    notebook: str
    number: int


def open_document(
    uri: str, text: str, version: int | None, cell: CellPlace | None = None
) -> Document:
    """The document of a text that the editor has sent."""
    refusal = _refusal(text)
    # As findings spell it, which `Path` has normalized.
    path = str(Path(path_of(uri if cell is None else cell.notebook)))
    return Document(uri, path, text, version, refusal, cell)


def edit(text: str, place: Range, new: str, encoding: str) -> str:
    """The text after an edit, whose columns count in the units of an encoding.

    >>> place = {"start": {"line": 0, "character": 1}, "end": {"line": 1, "character": 9}}
    >>> edit("abc\\r\\ndef\\n", place, "-", "utf-16")
    'a-\\n'
    """
    start = _offset(text, place["start"], encoding)
    end = _offset(text, place["end"], encoding)
    return f"{text[:start]}{new}{text[max(start, end) :]}"


def _offset(text: str, position: Position, encoding: str) -> int:
    """The place of a position in a text: one behind the end of its line is that end."""
    start = 0
    for _ in range(position["line"]):
        found = _LINE_END.search(text, start)
        if found is None:
            return len(text)
        start = found.end()
    found = _LINE_END.search(text, start)
    line = text[start : len(text) if found is None else found.start()]
    return start + characters(line, position["character"], encoding)


def _refusal(text: str) -> str | None:
    """Why a text is not analysed; the command says the same of such a file."""
    if len(text) > LARGEST_FILE or len(text.encode("utf-8", "surrogatepass")) > LARGEST_FILE:
        return f"it is larger than {LARGEST_FILE // 1024 // 1024} MiB"
    if "\0" in text:
        return f"line {text.count(chr(10), 0, text.index(chr(0))) + 1} holds a null byte"
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        line = text.count("\n", 0, error.start) + 1
        return f"line {line} holds half of a surrogate pair, which is no character"
    return None


def changed(text: str, changes: Iterable[Reader], encoding: str) -> str:
    """The text after the changes that a message states, one after the other."""
    for change in changes:
        new = change.member("text").text()
        text = (
            edit(text, change.member("range").range(), new, encoding)
            if change.has("range")
            else new
        )
    return text


def is_file(uri: str) -> bool:
    """Whether a URI names a file."""
    return uri[:5].lower() == "file:"


def path_of(uri: str) -> str:
    """The path of the file that a URI names; a name for what is not a file.

    >>> path_of("file:///home/a%20b.py"), path_of("untitled:Untitled-1")
    ('/home/a b.py', 'Untitled-1')
    """
    try:
        parts = urlsplit(uri)
    except ValueError:  # an address that is none, such as `file://[`
        return _name(uri)
    is_file = parts.scheme.lower() == "file"
    path = os.fsdecode(unquote_to_bytes(parts.path))
    if not is_file or "\0" in path:
        return _name(path)
    if parts.netloc and parts.netloc.lower() != "localhost":
        path = f"//{os.fsdecode(unquote_to_bytes(parts.netloc))}{path}"
    elif _WINDOWS and path[:1] == "/" and path[2:3] == ":":
        path = path[1:]
    return path.replace("/", "\\") if _WINDOWS else path or _name(path)


def _name(path: str) -> str:
    """The name of a document that is not a file, such as `untitled:Untitled-1`."""
    return path.replace("\0", "") or "untitled.py"


def uri_of(path: str) -> str:
    """The URI of a file that is not open."""
    return Path(os.path.abspath(path)).as_uri()
