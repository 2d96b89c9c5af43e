"""Reads source files: from bytes on disk to text, as Python itself would decode them.

Invariants:
- Reading never raises and never hangs for what it finds on disk: a file that is no regular file,
  cannot be opened, is too large or is not text in its encoding is answered with `Unreadable`.
- The text keeps its line ends, tabs and form feeds; only a byte order mark is left out. Offsets
  count code points of this text.
- A line ends at `\\n`, `\\r\\n` or `\\r`, as in LibCST's positions.
"""

import codecs
import os
import re
from bisect import bisect_right
from pathlib import Path
from typing import Final

from oakum.values.records import dataclass, field
from oakum_lint.text.finding import Location
from oakum_lint.text.notebook.names import LARGEST_NOTEBOOK, is_joined, is_notebook
from oakum_lint.text.regular_files import RefusedError, read_regular

LARGEST_FILE: Final = 8 * 1024 * 1024
"""Bytes of the largest file that is read."""

_LINE_END = re.compile(r"\r\n?|\n")
_COOKIE = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_BLANK = re.compile(rb"^[ \t\f]*(?:#.*)?$")


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A file that could not be read as Python source, and why: a sentence without its full stop."""

    path: Path
    message: str


class LineTable:
    """Where the lines of a text begin."""

    __slots__ = ("_ends", "_length", "_starts")

    def __init__(self, text: str) -> None:
        spans = [match.span() for match in _LINE_END.finditer(text)]
        self._starts = [0, *[end for _, end in spans]]
        self._length = len(text)
        self._ends = [*[start for start, _ in spans], self._length]
        """Where the text of each line ends."""

    def place(self, offset: int) -> tuple[int, int]:
        """The line and column of an offset, both from 1. An offset between the two characters of a
        line end is the end of the line.

        >>> LineTable("a\\r\\nbc").place(4), LineTable("a\\r\\nbc").place(2)
        ((2, 2), (1, 2))
        """
        line = bisect_right(self._starts, offset)
        return line, min(offset, self._ends[line - 1]) - self._starts[line - 1] + 1

    def offset(self, line: int, column: int) -> int:
        """The offset of a place, or the nearest one in the text.

        >>> LineTable("a\\r\\nbc").offset(2, 2), LineTable("a").offset(9, 9)
        (4, 1)
        """
        if line > len(self._starts):
            return self._length
        return min(self._starts[max(line, 1) - 1] + max(column, 1) - 1, self._length)

    @property
    def line_count(self) -> int:
        """How many lines there are; an empty one after the last line end counts."""
        return len(self._starts)


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """The text of a file, and where its lines are."""

    path: Path
    text: str
    _lines: list[LineTable] = field(default_factory=list[LineTable], repr=False)

    @classmethod
    def from_text(cls, text: str, path: Path = Path("<text>")) -> "Source":
        """The source that an editor holds; a byte order mark is left out.

        >>> Source.from_text("x = 1\\ny = 2\\n").place(6)
        (2, 1)
        """
        return cls(path, text.removeprefix("\ufeff"))

    @property
    def lines(self) -> LineTable:
        """The line table, made when it is first asked for."""
        if not self._lines:
            self._lines.append(LineTable(self.text))
        return self._lines[0]

    def place(self, offset: int) -> tuple[int, int]:
        """The line and column of an offset, both from 1, columns in code points."""
        return self.lines.place(offset)

    def offset(self, line: int, column: int) -> int:
        """The offset of a place, or the nearest one in the text."""
        return self.lines.offset(line, column)

    def location(self, start: int, end: int, file: str) -> Location:
        """The range from `start` to `end` as a finding names it."""
        return Location(file, *self.lines.place(start), *self.lines.place(end))


def real_path(path: Path) -> Path:
    """The path without symbolic links; unlike `Path.resolve`, also of a link to itself."""
    return Path(os.path.realpath(path))


def shown_path(path: Path) -> Path:
    """The path as a report shows it: relative to the working directory if it lies in it."""
    folder = Path.cwd()
    return path.relative_to(folder) if path.is_relative_to(folder) else path


def read_source(path: Path) -> Source | Unreadable:
    """Reads a file as Python would read it, or the code cells of a notebook.

    >>> read_source(Path("no/such/file.py")).message
    'it does not exist'
    """
    data = _read_bytes(path, LARGEST_NOTEBOOK if is_notebook(path.name) else LARGEST_FILE)
    if isinstance(data, str):
        return Unreadable(path, data)
    text = decode_file(path.name, data)
    if isinstance(text, Undecodable):
        return Unreadable(path, text.message)
    return Source(path, text)


# --- bytes ------------------------------------------------------------------------------------


def _read_bytes(path: Path, largest: int) -> bytes | str:
    """The bytes of a regular file, or why there are none."""
    try:
        return read_regular(path, largest)
    except FileNotFoundError:
        is_link = os.path.islink(path)
        return "it is a symbolic link to nothing" if is_link else "it does not exist"
    except PermissionError:
        return "permission to read it is denied"
    except RefusedError as error:
        return str(error)
    except OSError as error:
        return f"it cannot be read: {error.strerror or type(error).__name__}"
    except ValueError:
        return "its name is not a valid path"


# --- decoding (PEP 263) -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Undecodable:
    """Why bytes are not text in the encoding that they declare."""

    message: str


_UNSUPPORTED: Final = frozenset({"idna", "punycode", "undefined"})
"""Text encodings, for Python, in which no source is written; decoding can take quadratic time."""


def decode_file(name: str, data: bytes) -> str | Undecodable:
    """The Python in the bytes of a file: its text, the code cells of a notebook, or the blocks of a
    document.
    """
    if not is_joined(name):
        return decode(data)
    from oakum_lint.text.notebook.cells import BadNotebookError, read_notebook

    try:
        if is_notebook(name):
            return read_notebook(data).text
        from oakum_lint.text.notebook.documents import read_document

        return read_document(data).text
    except BadNotebookError as error:
        return Undecodable(str(error))


def decode(data: bytes) -> str | Undecodable:
    """Decodes the bytes of a source file by its byte order mark, its coding comment, or UTF-8.

    >>> decode(b"# coding: latin-1\\ns = 'caf\\xe9'").splitlines()[1]
    "s = 'café'"
    """
    form = form_of(data)
    if isinstance(form, Undecodable):
        return form
    data = data.removeprefix(form.mark)
    if 0 in data:
        return Undecodable(_with_null(data))
    name = form.encoding
    try:
        return data.decode(name)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return Undecodable(
            f"line {line} holds bytes that are not {name} text (0x{data[error.start]:02x})"
        )
    except (LookupError, ValueError, ArithmeticError):
        return Undecodable(f"its bytes are not text in the encoding {form.declared!r}")


@dataclass(frozen=True, slots=True)
class Form:
    """How a file holds its text: the byte order mark or nothing, and the name of the encoding."""

    mark: bytes
    encoding: str
    declared: str
    """The encoding in the words of the file."""

    def encode(self, text: str) -> bytes:
        """The bytes of a file of this form."""
        return self.mark + text.encode(self.encoding)


def form_of(data: bytes) -> Form | Undecodable:
    """The form of a source file, by its byte order mark and its coding comment.

    >>> form_of(b"# coding: latin-1").encode("caf\xe9")
    b'caf\xe9'
    """
    mark = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
    declared = _declared_encoding(data.removeprefix(mark))
    encoding = "utf-8" if declared is None else _normal_name(declared)
    try:
        name = codecs.lookup(encoding).name
    except (LookupError, ValueError):
        return Undecodable(f"its coding comment names the unknown encoding {declared!r}")
    if mark and name != "utf-8":
        return Undecodable(f"it begins with a UTF-8 mark but declares the encoding {declared!r}")
    if name in _UNSUPPORTED:
        return Undecodable(f"source in the encoding {declared!r} is not supported")
    return Form(mark, name, declared or name)


def _with_null(data: bytes) -> str:
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "it is UTF-16 text; Python source has to be UTF-8 or declare its encoding"
    line = data.count(b"\n", 0, data.index(0)) + 1
    return f"line {line} holds a null byte"


def _declared_encoding(data: bytes) -> str | None:
    """The encoding that a comment on the first or second line names."""
    for line in _LINES.findall(data[:_LONGEST_HEAD])[:2]:
        match = _COOKIE.match(line)
        if match is not None:
            return match[1].decode("ascii", "replace")
        if not _BLANK.match(line):
            return None
    return None


_LINES = re.compile(rb"([^\r\n]*)(?:\r\n|[\r\n]|$)")
_LONGEST_HEAD: Final = 4096


def _normal_name(declared: str) -> str:
    """The encoding without what editors add (`utf-8-unix`), as Python's tokenizer reads it."""
    name = declared[:12].lower().replace("_", "-")
    if name == "utf-8" or name.startswith("utf-8-"):
        return "utf-8"
    for latin in ("latin-1", "iso-8859-1", "iso-latin-1"):
        if name == latin or name.startswith(latin + "-"):
            return "iso-8859-1"
    return declared
