"""The text of a random program: lines, each with what may stand in its place once it has raised."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from program_head import head


@dataclass(frozen=True, slots=True)
class Line:
    """One line. `replacement` takes its place after it raised, so that what follows is reached;
    None where nothing can.
    """

    text: str
    replacement: str | None = None


@dataclass(frozen=True, slots=True)
class RandomProgram:
    """A program in the traced style."""

    head: str
    body: tuple[Line, ...]

    @classmethod
    def under_head(cls, body: Sequence[Line]) -> Self:
        """The program of these lines, with as much of the head before them as they need."""
        return cls(head("\n".join(f"{line.text} {line.replacement}" for line in body)), tuple(body))

    def replacement(self, number: int) -> str | None:
        """What may take the place of a line, counted from 1."""
        place = number - self._before - 1
        return self.body[place].replacement if place >= 0 else None

    def repaired(self, numbers: frozenset[int] = frozenset()) -> str:
        """The text with the replacements of these lines in their places."""
        lines = (
            line.replacement if number in numbers and line.replacement is not None else line.text
            for number, line in enumerate(self.body, self._before + 1)
        )
        return self.head + "".join(f"{line}\n" for line in lines)

    @property
    def _before(self) -> int:
        return self.head.count("\n")


class Writer:
    """Writes lines at a depth of indentation, and gives out names."""

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self.depth = 0
        self._names = 0

    def name(self, stem: str) -> str:
        """A name that the program has not used."""
        self._names += 1
        return f"{stem}{self._names}"

    def write(self, text: str, replacement: str | None = None) -> None:
        """Writes a line, indented; an empty text is an empty line."""
        space = "    " * self.depth if text else ""
        self.lines.append(Line(space + text, None if replacement is None else space + replacement))
