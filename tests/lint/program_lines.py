"""The text of a random program: lines, each with what may stand in its place once it has raised."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Line:
    """One line. `mend` takes its place after it raised, so that what follows is reached; None where
    nothing can.
    """

    text: str
    mend: str | None = None


@dataclass(frozen=True, slots=True)
class RandomProgram:
    """A program in the traced style."""

    lines: tuple[Line, ...]

    @property
    def source(self) -> str:
        """The program's text."""
        return "".join(f"{line.text}\n" for line in self.lines)

    def mended(self, numbers: frozenset[int]) -> str:
        """The text with the mends of these lines, counted from 1, in their places."""
        return "".join(
            f"{line.mend if number in numbers and line.mend is not None else line.text}\n"
            for number, line in enumerate(self.lines, 1)
        )


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

    def write(self, text: str, mend: str | None = None) -> None:
        """Writes a line, indented; an empty text is an empty line."""
        space = "    " * self.depth if text else ""
        self.lines.append(Line(space + text, None if mend is None else space + mend))
