"""The Python in the blocks of a document, Markdown or reStructuredText, as one text, and back.

Blocks are fences (also those of MyST and mkdocs), directives (`.. code-block:: python`), and
examples at a prompt (`>>>`). As the cells of a notebook they are one program. Each line of code
stands in the text on its own line and in its own columns, all other lines are empty, so that places
in the text are places in the document. A block of which all is indented, as in a list, is the body
of an `if True:` on the line before it.

Invariants:
- A block that is no Python, as many are that leave something out, is none.
- What is written back is fences alone; all that stands around them stays, byte by byte.
"""

import ast
import re
import textwrap
import warnings
from collections.abc import Iterator, Sequence
from typing import Final

from oakum.values.records import dataclass
from oakum_lint.text.notebook.cells import BadNotebookError, decoded

_FENCE = re.compile(r"([ \t]*)(`{3,}|~{3,})[ \t]*([^`]*)")
_DIRECTIVE = re.compile(r"([ \t]*)\.\.[ \t]+(?:code-block|code|sourcecode|testcode)::[ \t]*(\w*)")
_OPTION = re.compile(r"[ \t]*:[\w-]+:")
_PROMPT = re.compile(r"([ \t]*)(?:>>>|\.\.\.)(?: |$)")
FIRST_PROMPT = re.compile(r"[ \t]*>>> ")
_EXCEPTION: Final = "Traceback (most recent call last):"
_MARK = re.compile(r"(?:if True:  )?#:(block|end) (\d+):")
_NAMES: Final = frozenset("python python3 py py3 pycon ipython ipython3 jax".split())
_DIRECTIVES: Final = frozenset("code-block code code-cell sourcecode testcode".split())
"""Of MyST, in braces at a fence."""


@dataclass(frozen=True, slots=True)
class _Block:
    """A block: its first line of code and the one behind its last, from 0."""

    first: int
    end: int
    is_fence: bool
    lines: Sequence[str]
    """Its lines as the analysis sees them."""


class Document:
    """A document as it was read."""

    __slots__ = ("_blocks", "_lines", "text")

    def __init__(self, raw: str) -> None:
        self._lines = raw.split("\n")
        self._blocks = [*_blocks([line.removesuffix("\r") for line in self._lines])]
        shown = [""] * len(self._lines)
        for number, block in enumerate(self._blocks):
            is_indented = all(line[0] in " \t" for line in block.lines if line.strip())
            opening = "if True:  " if is_indented else ""
            shown[block.first : block.end] = block.lines
            shown[block.first - 1] = f"{opening}#:block {number}:"
            if block.is_fence and block.end < len(shown):
                shown[block.end] = f"#:end {number}:"
        self.text = "\n".join(shown)
        """The Python of the blocks."""

    def with_text(self, text: str) -> str:
        """The document in which the fences have what an edited text holds for them.

        Raises `BadNotebookError` if the text has lost a fence, or something else was edited.
        """
        found = _parts(text)
        lines, done = list[str](), 0
        for number, block in enumerate(self._blocks):
            if not block.is_fence:
                continue
            if number not in found:
                raise BadNotebookError("the fixed text has lost a block")
            lines += self._lines[done : block.first]
            kept = self._lines[block.first : block.end]
            if list(block.lines) != found[number]:
                ending = "\r" if kept[0].endswith("\r") else ""
                kept = [f"{line}{ending}" for line in found[number]]
            lines += kept
            done = block.end
        written = "\n".join([*lines, *self._lines[done:]])
        if Document(written).text != text:
            raise BadNotebookError("only fences of a document are written")
        return written


def _parts(text: str) -> dict[int, list[str]]:
    """The lines of the fences of a text, by their numbers."""
    found: dict[int, list[str]] = {}
    current: list[str] | None = None
    for line in text.split("\n"):
        mark = _MARK.fullmatch(line)
        if mark is not None:
            current = found.setdefault(int(mark[2]), []) if mark[1] == "block" else None
        elif current is not None:
            current.append(line)
    return found


def read_document(data: bytes) -> Document:
    """Reads a document. Raises `BadNotebookError` where it is no text."""
    raw = decoded(data)
    if _MARK.search(raw):
        raise BadNotebookError("it holds a comment `#:block 1:`, which oakum takes for its own")
    return Document(raw)


def _blocks(lines: Sequence[str]) -> Iterator[_Block]:
    place = 0
    while place < len(lines):
        fence, directive = _FENCE.match(lines[place]), _DIRECTIVE.match(lines[place])
        first = place + 1
        if fence is not None:
            end = _end_of_fence(lines, first, fence[2])
            if _is_python(fence[3]):
                yield from _block(lines, first, end, is_fence=True)
            place = end + 1
        elif directive is not None:
            end = _end_of_directive(lines, first, len(directive[1].expandtabs()))
            if not directive[2] or directive[2].lower() in _NAMES:
                yield from _block(lines, first, end, is_fence=False)
            place = end
        elif FIRST_PROMPT.match(lines[place]) and place:
            end = next((n for n in range(place, len(lines)) if not lines[n].strip()), len(lines))
            yield from _prompts(lines, place, end)
            place = end
        else:
            place += 1


def _is_python(info: str) -> bool:
    """Whether what stands behind a fence says that it is Python: `python title="a.py"`, `{.py}`,
    `{code-cell} ipython3`.
    """
    words = info.replace("{", " ").replace("}", " ").replace(",", " ").split()
    names = [word.removeprefix(".").lower() for word in words[:2]]
    if names and names[0] in _DIRECTIVES:
        return len(names) < 2 or names[1] in _NAMES
    return bool(names) and names[0] in _NAMES


def _end_of_fence(lines: Sequence[str], first: int, opening: str) -> int:
    for number in range(first, len(lines)):
        line = lines[number].strip()
        if len(line) >= len(opening) and not line.strip(opening[0]):
            return number
    return len(lines)


def _end_of_directive(lines: Sequence[str], first: int, indent: int) -> int:
    for number in range(first, len(lines)):
        line = lines[number].expandtabs()
        if line.strip() and len(line) - len(line.lstrip()) <= indent:
            return number
    return len(lines)


def _block(lines: Sequence[str], first: int, end: int, *, is_fence: bool) -> Iterator[_Block]:
    """The block of these lines, or the examples in it, if it is Python."""
    found = list(lines[first:end])
    for number, line in enumerate(found):  # options of a directive, before the code
        if line.strip() and not _OPTION.match(line):
            break
        found[number] = ""
    start = next((number for number, line in enumerate(found) if line.strip()), None)
    if start is None:
        return
    if FIRST_PROMPT.match(found[start]):
        yield from _prompts(lines, first + start, end)
    elif _compiles("\n".join(found)):
        yield _Block(first + start, end, is_fence, found[start:])


def _prompts(lines: Sequence[str], first: int, end: int) -> Iterator[_Block]:
    shown = session(lines[first:end])
    if any(shown):
        yield _Block(first, end, False, shown)


def session(lines: Sequence[str]) -> list[str]:
    """The code of the examples at a prompt, each line in its columns; what they show is none, and
    neither are those that show an exception. All lines are empty where that is no Python.

    >>> session([">>> f(", "... 1)", "2", ">>> f()", "Traceback (most recent call last):"])
    ['    f(', '    1)', '', '', '']
    """
    shown: list[str] = []
    begun = 0
    for number, line in enumerate(lines):
        prompt = _PROMPT.match(line)
        if FIRST_PROMPT.match(line):
            begun = number
        elif line.strip() == _EXCEPTION:
            shown[begun:] = [""] * (number - begun)
        shown.append("" if prompt is None else prompt[1] + "    " + line[prompt.end() :])
    return shown if _compiles("\n".join(shown)) else [""] * len(lines)


def _compiles(code: str) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of escapes that are none
        try:
            return bool(ast.parse(textwrap.dedent(code)).body)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return False
