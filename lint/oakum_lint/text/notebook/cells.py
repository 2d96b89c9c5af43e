"""The Python of a Jupyter notebook's code cells as one text, and back.

The cells of a notebook are one program, which shares its names from cell to cell. The analysis sees
them one behind the other, each under a line `#:cell 3:` that counts all cells from 1, with what is
no Python hidden (see `magics`). IPython takes a cell of which all is indented; that line begins a
block for it.

Invariants:
- A line of a cell is a line of the text: `place` says which.
- Only the sources of cells that were changed are written; all other bytes of the file stay.
"""

import json
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Final, cast

from oakum.values.records import dataclass
from oakum_lint.text.notebook.magics import Hidden, Magics
from oakum_lint.text.notebook.names import LARGEST_NOTEBOOK
from oakum_lint.text.regular_files import read_regular

_HEADER = re.compile(r"(?:if True:  )?#:cell (\d+):")
_DECODER = json.JSONDecoder()
_BLANKS = re.compile(r"[ \t\r\n]*")
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_OWN_MARKS = re.compile(r"#:(?:cell|magic) \d+:")
_PYTHON: Final = frozenset({"python", "python3", "ipython", "xpython", ""})


@dataclass(frozen=True, slots=True)
class Cell:
    """A code cell: its number among all cells, its source, and where that stands in the file."""

    number: int
    source: str
    start: int
    end: int


class BadNotebookError(Exception):
    """The file is no notebook; the message says why, as a sentence without its full stop."""


class JoinedCells:
    """The code cells of a notebook as one text."""

    __slots__ = ("_firsts", "_magics", "_shifts", "cells", "text")

    def __init__(self, cells: Sequence[Cell]) -> None:
        self._magics = Magics()
        self.cells = cells
        if any(_OWN_MARKS.search(cell.source) for cell in self.cells):
            raise BadNotebookError("it holds a comment `#:cell 1:`, which oakum takes for its own")
        lines: list[Hidden] = []
        self._firsts: list[int] = []
        """The line of the text, from 1, on which each code cell begins."""
        for cell in self.cells:
            hidden = self._magics.hide(cell.source.removesuffix("\n"))
            block = "if True:  " if _is_indented(cell.source, hidden) else ""
            lines.append(Hidden(f"{block}#:cell {cell.number}:"))
            self._firsts.append(len(lines) + 1)
            lines += hidden
        self._shifts = [line.shift for line in lines]
        self.text = "".join(f"{line.text}\n" for line in lines)
        """The Python of the code cells."""

    def place(self, line: int, column: int) -> tuple[Cell, int, int]:
        """The cell, line and column of a place in the text, all from 1; the end of the text is in
        the last cell.
        """
        index = max(bisect_right(self._firsts, line) - 1, 0)
        shift = self._shifts[line - 1] if line <= len(self._shifts) else 0
        return self.cells[index], max(line - self._firsts[index] + 1, 1), column + shift

    def position(self, number: int, line: int, column: int) -> tuple[int, int]:
        """The line and column in the text of a place in a cell; all but the first are from 1."""
        index = next(place for place, cell in enumerate(self.cells) if cell.number == number)
        joined = self._firsts[index] + line - 1
        shift = self._shifts[joined - 1] if joined <= len(self._shifts) else 0
        return joined, max(column - shift, 1)

    def shown(self, text: str) -> str:
        """An edited text for people, with what is no Python, as scripts show notebooks."""
        lines = [_HEADER.sub(r"# %% cell \1", self._magics.show(line)) for line in text.split("\n")]
        return "\n".join(lines)

    def sources(self, text: str) -> dict[int, str]:
        """What an edited text holds for each cell, by the cells' numbers.

        Raises `BadNotebookError` if the text has lost a cell.
        """
        sources: dict[int, list[str]] = {}
        current: list[str] | None = None
        for line in text.removesuffix("\n").split("\n"):
            header = _HEADER.fullmatch(line)
            if header is not None:
                current = sources.setdefault(int(header[1]), [])
            elif current is None:
                # Put before all cells: the first one begins with it.
                current = sources.setdefault(self.cells[0].number, []) if self.cells else []
                current.append(self._magics.show(line))
            else:
                current.append(self._magics.show(line))
        if sources.keys() != {cell.number for cell in self.cells}:
            raise BadNotebookError("the fixed text has lost a cell")
        return {
            cell.number: "\n".join(sources[cell.number])
            + ("\n" if cell.source[-1:] == "\n" else "")
            for cell in self.cells
        }


def _is_indented(source: str, lines: Sequence[Hidden]) -> bool:
    """Returns whether all of a cell is indented, as IPython lets it be: the code begins with a line
    that is, and so does what the analysis sees.
    """
    texts = (line.text for line in lines)
    first = next((text for text in texts if text.strip() and text.lstrip()[0] != "#"), "")
    return first[:1] in (" ", "\t") and source.lstrip("\r\n")[:1] in (" ", "\t")


class Notebook(JoinedCells):
    """A notebook as it was read."""

    __slots__ = ("_raw",)

    def __init__(self, raw: str) -> None:
        super().__init__([*_cells(raw)])
        self._raw = raw

    def with_text(self, text: str) -> str:
        """The notebook in which the cells have what an edited text holds for them.

        Raises `BadNotebookError` if the text has lost a cell.
        """
        sources = self.sources(text)
        raw, end = self._raw, len(self._raw)
        parts: list[str] = []
        for cell in reversed(self.cells):
            source = sources[cell.number]
            if source != cell.source:
                parts += (raw[cell.end : end], _written(raw[cell.start : cell.end], source))
                end = cell.start
        parts.append(raw[:end])
        return "".join(reversed(parts))


def decoded(data: bytes) -> str:
    """Returns the text of a file. Raises `BadNotebookError` where it is none."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BadNotebookError(f"line {line} holds bytes that are not UTF-8 text") from None


def read_notebook(data: bytes) -> Notebook:
    """Reads a notebook. Raises `BadNotebookError` where it is none of a form that is known."""
    raw = decoded(data)
    try:
        return Notebook(raw)
    except (ValueError, IndexError, RecursionError):
        raise BadNotebookError("it is not valid JSON, which a notebook is") from None
    except (KeyError, TypeError, AttributeError):
        raise BadNotebookError("it is no notebook of format 4") from None


def notebook_at(file: str) -> Notebook | None:
    """The notebook that a file holds; None where there is none, or no longer."""
    try:
        return read_notebook(read_regular(file, LARGEST_NOTEBOOK))
    except (OSError, ValueError, BadNotebookError):
        return None


# --- the file ---------------------------------------------------------------------------------


def _cells(raw: str) -> Iterator[Cell]:
    """The code cells, if they are Python."""
    top = dict(_members(raw, _blank(raw, 1 if raw.startswith("\ufeff") else 0)))
    if cast(int, _value(raw, top["nbformat"])) < 4:
        raise TypeError
    if "metadata" in top and not _is_python(_value(raw, top["metadata"])):
        return
    start = top["cells"][0]
    for number, (begin, _) in enumerate(_elements(raw, start), 1):
        members = dict(_members(raw, begin))
        if _value(raw, members["cell_type"]) != "code":
            continue
        place = members["source"]
        source = _value(raw, place)
        joined = source if isinstance(source, str) else "".join(cast("list[str]", source))
        # Line ends of other systems are part of no cell that a notebook server has written.
        yield Cell(number, joined.replace("\r\n", "\n").replace("\r", "\n"), *place)


def _is_python(metadata: object) -> bool:
    """Whether the code of a notebook is Python, as far as it says."""
    table = cast("dict[str, dict[str, object]]", metadata)
    language = table.get("language_info", {}).get("name")
    if language is None:
        language = table.get("kernelspec", {}).get("language", "")
    return str(language).lower() in _PYTHON


def _value(raw: str, place: tuple[int, int]) -> object:
    return cast(object, _DECODER.raw_decode(raw, place[0])[0])


def _blank(raw: str, position: int) -> int:
    match = _BLANKS.match(raw, position)
    return position if match is None else match.end()


def _members(raw: str, start: int) -> Iterator[tuple[str, tuple[int, int]]]:
    """The keys of an object, and where their values begin and end."""
    if raw[start] != "{":
        raise TypeError
    position = _blank(raw, start + 1)
    while raw[position] != "}":
        key, position = _DECODER.raw_decode(raw, position)
        begin = _blank(raw, _after(raw, position, ":"))
        _, end = _DECODER.raw_decode(raw, begin)
        yield cast(str, key), (begin, end)
        position = _next(raw, end, "}")


def _elements(raw: str, start: int) -> Iterator[tuple[int, int]]:
    """Where the elements of an array begin and end."""
    if raw[start] != "[":
        raise TypeError
    position = _blank(raw, start + 1)
    while raw[position] != "]":
        _, end = _DECODER.raw_decode(raw, position)
        yield position, end
        position = _next(raw, end, "]")


def _after(raw: str, position: int, character: str) -> int:
    position = _blank(raw, position)
    if raw[position] != character:
        raise ValueError
    return position + 1


def _next(raw: str, position: int, closing: str) -> int:
    """The next member or element, or the end of them."""
    position = _blank(raw, position)
    return position if raw[position] == closing else _blank(raw, _after(raw, position, ","))


def _written(old: str, source: str) -> str:
    """A source as JSON, in the form of the one in whose place it stands."""
    is_ascii = old.isascii() and "\\u" in old
    if not old.startswith("["):
        return json.dumps(source, ensure_ascii=is_ascii)
    known = {cast(str, _value(old, place)): old[slice(*place)] for place in _elements(old, 0)}
    lines = _LINE.findall(source)
    written = [known.get(line) or json.dumps(line, ensure_ascii=is_ascii) for line in lines]
    if not lines:
        return "[]"
    before = _BLANKS.match(old, 1)
    lead = before.group() if before is not None else ""
    behind = old[len(old[:-1].rstrip()) : -1]
    return "".join(("[", lead, f",{lead or ' '}".join(written), behind, "]"))
