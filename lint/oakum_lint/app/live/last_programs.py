"""The programs of texts that are no Python, as most are between two keys: what is no Python is what
it was last, all else is as it is now.

Such a program is analysed in the place of the text. So what was found stays while one types, and
what is typed elsewhere meanwhile is analysed.

Invariants:
- A text that is Python is its own program. So is the first text of a file: nothing is known of
  what that was before.
- What of a program is no Python was so in the first text.
- A problem is one of the text as it is, and nothing else of it is invented: what stands in the
  place of a unit is what that was, and a unit that is new is left out.
"""

from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from pathlib import Path

from oakum.values.records import dataclass
from oakum_lint.syntax.module import ModuleFacts, UnitFacts
from oakum_lint.text.moves import Change, TextMove, change_between
from oakum_lint.text.source import Source
from oakum_lint.text.syntax_errors import Problem


@dataclass(frozen=True, slots=True)
class Program:
    """What is analysed in the place of a text."""

    source: Source
    """Of the text as it is."""
    text: str
    """What is analysed."""
    move: TextMove
    """Where what is analysed stands in the text."""
    problems: Sequence[Problem]
    """Why the text is no Python, where something else is analysed."""

    @property
    def is_other(self) -> bool:
        """Whether something else than the text is analysed."""
        return bool(self.move.changes)


class LastPrograms:
    """The programs of the texts that an editor has had last, by their paths."""

    def __init__(self) -> None:
        self._known: dict[Path, tuple[Program, ModuleFacts]] = {}

    def take(self, texts: Mapping[Path, str]) -> dict[Path, Program]:
        """The programs of all texts that an editor has now."""
        self._known = {path: self._find(path, text) for path, text in texts.items()}
        return {path: program for path, (program, _) in self._known.items()}

    def find(self, path: Path) -> Program | None:
        """The program of the last text of a file."""
        known = self._known.get(path)
        return None if known is None else known[0]

    def hold_others(self) -> bool:
        """Whether something else than the text of some file is analysed."""
        return any(program.is_other for program, _ in self._known.values())

    def _find(self, path: Path, text: str) -> tuple[Program, ModuleFacts]:
        source = Source.from_text(text, path)
        known = self._known.get(path)
        if known is None:
            return _own(source, ModuleFacts(source))
        program, last = known
        if program.source.text == source.text:
            return known
        last.is_accepted()  # what is Python by itself is so in later versions
        now = last.edited(source)
        stood = {unit.raw for unit in last.units if unit.syntax_errors}
        wrong = [unit for unit in now.units if unit.syntax_errors]
        broken = {unit for unit in wrong if unit.raw not in stood}
        if not broken or now.is_accepted():
            return _own(source, now)
        text, move = _joined(last.units, now.units, broken)
        if text != last.source.text:
            last = last.edited(Source.from_text(text, path))
        return Program(
            source, text, move, tuple([each for unit in wrong for each in unit.syntax_errors])
        ), last


def _own(source: Source, facts: ModuleFacts) -> tuple[Program, ModuleFacts]:
    return Program(source, source.text, TextMove(), ()), facts


def _joined(
    old: Sequence[UnitFacts], new: Sequence[UnitFacts], broken: set[UnitFacts]
) -> tuple[str, TextMove]:
    """The text of the new units, with the old ones in the place of those that are broken, and where
    that stands in the new text.
    """
    pieces: list[str] = []
    changes: list[Change] = []
    start = 0
    for before, after in _blocks(old, new):
        piece = "".join([unit.raw for unit in after])
        if not broken.isdisjoint(after):
            typed, piece = piece, "".join([unit.raw for unit in before])
            changes.append(change_between(piece, typed, start, after[0].base))
        pieces.append(piece)
        start += len(piece)
    return "".join(pieces), TextMove(tuple(changes))


def _blocks(
    old: Sequence[UnitFacts], new: Sequence[UnitFacts]
) -> Iterator[tuple[Sequence[UnitFacts], Sequence[UnitFacts]]]:
    """The old units and the new ones in pieces that stand for each other, as small as they can be
    said to.
    """
    texts = [unit.raw for unit in old], [unit.raw for unit in new]
    matcher = SequenceMatcher(None, *texts, autojunk=False)
    for _, begin, end, new_begin, new_end in matcher.get_opcodes():
        if end - begin == new_end - new_begin:
            for number in range(end - begin):
                here, there = begin + number, new_begin + number
                yield old[here : here + 1], new[there : there + 1]
        else:
            yield old[begin:end], new[new_begin:new_end]
