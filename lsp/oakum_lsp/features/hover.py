"""Hover: what the analysis knows of the expression under the cursor.

It says what an expression is where it is traced (`tracer f32[8,3]`, and in which transform), and
what it is outside; then why the code is traced, and by which calls the program gets there. Where it
does not know a parameter, runs of the program may.
"""

from collections.abc import Iterator, Mapping

from oakum_lint.app.index.seen_calls import SeenFunction
from oakum_lint.app.live.observations import Seen, Situation, Spot
from oakum_lint.app.value_words import describe
from oakum_lsp.features.notes import Notes
from oakum_lsp.features.run_time import seen_at_run_time
from oakum_lsp.protocol import Hover, Position

_LONGEST = 60
"""More characters of the expression are not shown."""

_MOST_SITUATIONS = 3
"""So many ways by which the program gets to an expression are shown."""


def hover(
    notes: Notes | None, position: Position, kept: Mapping[str, SeenFunction]
) -> Hover | None:
    """What is known at a position of a document, also from runs of which something is kept; None
    where there is nothing to say.
    """
    offset = None if notes is None else notes.offset(position)
    if notes is None or offset is None:
        return None
    around = [each for each in notes.seen() if each.span[0] <= offset <= each.span[1]]
    found = min(around, key=lambda each: each.node.end - each.node.start, default=None)
    at_run_time = seen_at_run_time(notes, offset, kept, found)
    if at_run_time is not None:
        words, (start, end) = at_run_time
    elif found is not None:
        words, (start, end) = "", found.span
    else:
        return None
    spelled = " ".join(notes.text[start:end].split())
    shown = spelled if len(spelled) <= _LONGEST else f"{spelled[: _LONGEST - 3]}..."
    parts = [f"```python\n{shown}\n```"]
    if found is not None and found.span == (start, end):
        parts += ["\n".join(_values(found)), *_reasons(found, notes)]
    if words:
        parts.append(words)
    return {
        "contents": {"kind": "markdown", "value": "\n\n".join(parts)},
        "range": notes.range(start, end),
    }


def _values(seen: Seen) -> list[str]:
    lines: dict[str, None] = {}
    for value, way in seen.values:
        where = f" (in {way.transforms[0].label})" if way.transforms else ""
        lines[f"- {describe(value)}{where}"] = None
    return [*lines]


def _reasons(seen: Seen, notes: Notes) -> list[str]:
    """Why the code is traced, and by which calls the program gets there."""
    found: dict[str, None] = {}
    for _, way in seen.values:
        if way.transforms:
            found["  \n".join(_reason(way, notes))] = None
    return [*found][:_MOST_SITUATIONS]


def _reason(way: Situation, notes: Notes) -> Iterator[str]:
    for number, each in enumerate(way.transforms):
        verb = "inside" if number else "probably traced by" if each.is_presumed else "traced by"
        yield f"{verb} {each.label} at {_link(each.spot, notes)}"
    if way.calls:
        yield "called: " + " ← ".join(
            f"`{name}` at {_link(spot, notes)}" for name, spot in way.calls
        )


def _link(spot: Spot, notes: Notes) -> str:
    place = notes.location(spot)
    return f"[{notes.place_words(spot)}]({place['uri']}#L{place['range']['start']['line'] + 1})"
