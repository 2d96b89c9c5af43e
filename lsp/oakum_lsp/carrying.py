"""Carries what only the check with the project has found from one text of a document to the next.

It takes seconds until that check has seen a new text; until then what it found in lines that have
not changed stays, and moves with them. What it found in changed lines is dropped.
"""

import json
import re
from collections.abc import Sequence
from typing import Final, cast

from oakum_lsp.messages import compact_json
from oakum_lsp.outcomes import Outcome
from oakum_lsp.protocol import Diagnostic, Location, Range, RelatedInformation

_LINE_END: Final = re.compile(r"\r\n|\r|\n")

_Place = tuple[str, int, int, int, int]


def carry(wide: Outcome, quick: str, outcome: Outcome) -> Outcome | None:
    """What the quick check found in a new text, with what was found with the project alone in an
    older one; None where there is nothing to add. `quick` are the diagnostics of the quick check of
    that older text.
    """
    if wide.diagnostics == quick:
        return None
    before = {_place(each) for each in _read(quick)}
    added = [each for each in _read(wide.diagnostics) if _place(each) not in before]
    shown = _read(outcome.diagnostics)
    after = {_place(each) for each in shown}
    move = _Move(wide.document.text, outcome.document.text)
    moved = [move.diagnostic(each, outcome.document.uri) for each in added]
    kept = [each for each in moved if each is not None and _place(each) not in after]
    if not kept:
        return None
    # Those of the quick check stay first: its offers of fixes name them by their numbers.
    return Outcome(outcome.document, compact_json([*shown, *kept]), outcome.offers)


def without(diagnostics: str, taken: str) -> str:
    """The diagnostics but for those that stand where one of `taken` does."""
    if "[]" in (diagnostics, taken):
        return diagnostics
    places = {_place(each) for each in _read(taken)}
    return compact_json([each for each in _read(diagnostics) if _place(each) not in places])


def added_to(diagnostics: str, further: str) -> str:
    """The diagnostics, and those of `further` that stand where none of them does."""
    added = without(further, diagnostics)
    if added == "[]":
        return diagnostics
    return compact_json([*_read(diagnostics), *_read(added)])


def _read(diagnostics: str) -> list[Diagnostic]:
    return cast("list[Diagnostic]", json.loads(diagnostics))


def _place(diagnostic: Diagnostic) -> _Place:
    start, end = diagnostic["range"]["start"], diagnostic["range"]["end"]
    return (
        diagnostic["code"],
        start["line"],
        start["character"],
        end["line"],
        end["character"],
    )


class _Move:
    """Where the lines of a text are in another one."""

    def __init__(self, old: str, new: str) -> None:
        before, after = _lines(old), _lines(new)
        self._first = _equal(before, after)
        rest = min(len(before), len(after)) - self._first
        self._rest = len(before) - min(rest, _equal(before[::-1], after[::-1]))
        self._by = len(after) - len(before)

    def range(self, place: Range) -> Range | None:
        """A range in the new text; None where one of its lines has changed."""
        if place["end"]["line"] < self._first:
            return place
        if place["start"]["line"] < self._rest:
            return None
        start, end = place["start"], place["end"]
        return {
            "start": {"line": start["line"] + self._by, "character": start["character"]},
            "end": {"line": end["line"] + self._by, "character": end["character"]},
        }

    def diagnostic(self, diagnostic: Diagnostic, uri: str) -> Diagnostic | None:
        """A diagnostic of a document, in its new text."""
        place = self.range(diagnostic["range"])
        if place is None:
            return None
        related: list[RelatedInformation] = []
        for each in diagnostic.get("relatedInformation", ()):
            if each["location"]["uri"] != uri:
                related.append(each)
            elif (moved := self.range(each["location"]["range"])) is not None:
                location: Location = {"uri": uri, "range": moved}
                related.append({"location": location, "message": each["message"]})
        return {**diagnostic, "range": place, "relatedInformation": related}


def _lines(text: str) -> list[str]:
    return _LINE_END.split(text)


def _equal(first: Sequence[str], second: Sequence[str]) -> int:
    """How many items are the same from the beginning on."""
    for place, (one, other) in enumerate(zip(first, second, strict=False)):
        if one != other:
            return place
    return min(len(first), len(second))
