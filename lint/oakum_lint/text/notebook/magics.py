"""What is no Python in the cells of a notebook, and how it is hidden from the analysis.

IPython takes lines that begin with `%`, `!` or `?`, or end with `?`, and whole cells that begin
with `%%`. Each such line is replaced by a line of Python that does nothing the analysis knows of,
and that ends with a mark; `Magics.show` puts it back.

    !pip install jax            pass  #:magic 0:
    files = !ls                 files = get_ipython()  #:magic 1:
    %time y = f(x)              y = f(x)  #:magic 2:

Invariants:
- A line stays a line, with the indentation that it has.
- What stands inside a string, a bracket or a continued line of Python is none of IPython's.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from oakum.values.records import dataclass
from oakum_lint.text.lexer import tokens

_PYTHON_CELLS: Final = frozenset({"capture", "prun", "time", "timeit"})
"""Cell magics whose cells are Python of this program; of all others they are another language's, or
another process's."""
_CELL_MAGIC = re.compile(r"\s*%%(\w+)")
_MAGIC = re.compile(r"[ \t]*(?:[%!?]|[\w.%*]+\?{1,2}[ \t]*;?[ \t]*$)")
_ASSIGNED = re.compile(r"(?P<target>[ \t]*[A-Za-z_][\w., \t]*=[ \t]*)[%!]")
_TIMED = re.compile(r"[ \t]*%(?:time|timeit|prun)\b(?:[ \t]+-\w+(?:[ \t]*\d+)?)*[ \t]+(?=[^\s\-])")
_LINE_MAGICS: Final = (
    "autoreload bookmark cat cd clear colors conda config cp edit env gui history hist "
    "less load load_ext ls mamba man matplotlib micromamba mkdir more mv notebook page "
    "pip popd prun pushd pylab reload_ext reset rm rmdir run save set_env store sx system "
    "time timeit unload_ext uv who whos xdel xmode"
)
_AUTOMAGIC = re.compile(
    rf"(?:{_LINE_MAGICS.replace(' ', '|')})[ \t]+(?:-\w+(?:[ \t]*\d+)?[ \t]+)*"
    r"(?!(?:and|else|for|if|in|is|not|or)\b)(?:[\w\"'~$]|\.(?![A-Za-z_]))"
)
"""Magics without `%`, which IPython takes where a cell is one line. No Python begins so."""
_MARK = re.compile(r"(?:  )?#:magic (?P<number>\d+):")


@dataclass(frozen=True, slots=True)
class Hidden:
    """A line as the analysis sees it: `shift` columns of the real one stand before its text."""

    text: str
    shift: int = 0


class Magics:
    """The hidden lines of a notebook."""

    __slots__ = ("_lines",)

    def __init__(self) -> None:
        self._lines: list[tuple[str, str]] = []
        """Of each, what stands for the whole line, or what stands before the text that is seen."""

    def hide(self, source: str) -> list[Hidden]:
        """The lines of a cell, without their ends, with all that is no Python hidden."""
        lines = source.split("\n")
        first = next((line for line in lines if line.strip()), "")
        magic = _CELL_MAGIC.match(first)
        if magic is not None and magic[1] not in _PYTHON_CELLS:
            return [Hidden(self._mark("", line)) if line else Hidden("") for line in lines]
        if len(lines) == 1 and _AUTOMAGIC.match(source):
            return [Hidden(self._mark("pass", source))]
        hidden: list[Hidden] = []
        for start, end in _logical_lines(lines):
            if magic is not None and lines[start] is first:
                hidden += [Hidden(self._mark("", line)) for line in lines[start:end]]
            else:
                hidden += self._hide_logical(lines[start:end])
        return hidden

    def _hide_logical(self, lines: Sequence[str]) -> Iterator[Hidden]:
        line = lines[0]
        timed = _TIMED.match(line)
        assigned = _ASSIGNED.match(line)
        if timed is not None and len(lines) == 1:
            start = len(line) - len(line.lstrip())
            before, code = line[start : timed.end()], line[timed.end() :]
            yield Hidden(f"{line[:start]}{code}  {self._add('', before)}", timed.end() - start)
        elif assigned is not None:
            yield Hidden(f"{assigned['target']}get_ipython()  {self._add(line, '')}")
        elif _MAGIC.match(line):
            indent = line[: len(line) - len(line.lstrip())]
            yield Hidden(self._mark(f"{indent}pass", line))
        else:
            yield from map(Hidden, lines)
            return
        for further in lines[1:]:
            yield Hidden(self._mark("", further))

    def _mark(self, seen: str, line: str) -> str:
        mark = self._add(line, "")
        return f"{seen}  {mark}" if seen else mark

    def _add(self, whole: str, before: str) -> str:
        self._lines.append((whole, before))
        return f"#:magic {len(self._lines) - 1}:"

    def show(self, line: str) -> str:
        """The line that a notebook holds for one that the analysis has seen, perhaps changed."""
        mark = _MARK.search(line)
        if mark is None or int(mark["number"]) >= len(self._lines):
            return line
        whole, before = self._lines[int(mark["number"])]
        behind = line[mark.end() :]
        if not before:
            return whole + behind
        code = line[: mark.start()]
        indent = len(code) - len(code.lstrip())
        return f"{code[:indent]}{before}{code[indent:]}{behind}"


def _logical_lines(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Where the logical lines of a cell begin and end; a line of IPython is one, with the lines
    that a `\\` continues.
    """
    start = 0
    while start < len(lines):
        end = start + 1
        if _MAGIC.match(lines[start]) or _ASSIGNED.match(lines[start]):
            while end < len(lines) and lines[end - 1].endswith("\\"):
                end += 1
        else:
            end = start + _length(lines[start:])
        yield start, end
        start = end


def _length(lines: Sequence[str]) -> int:
    """How many lines the logical line of Python takes that begins with the first."""
    if not any(character in lines[0] for character in "([{\\'\""):
        return 1
    depth = 0
    text = "\n".join(lines)
    for kind, start, _ in tokens(text):
        match kind:
            case "open":
                depth += 1
            case "close":
                depth = max(0, depth - 1)
            case "newline" if depth == 0:
                return text.count("\n", 0, start) + 1
            case _:
                pass
    # A bracket that is never closed: the rest would be taken for one line of Python.
    return len(lines) if depth == 0 else 1
