"""Code lenses: above each function that is traced, by what, where, and with which arguments."""

from oakum_lint.app.live.observations import Entered
from oakum_lint.app.value_words import type_words
from oakum_lsp.features.notes import Notes
from oakum_lsp.protocol import SHOW, CodeLens

_MOST = 3
"""So many ways to trace a function are shown above it."""

_MOST_ARGUMENTS = 5


def code_lenses(notes: Notes | None) -> list[CodeLens]:
    """The lenses of a document."""
    if notes is None:
        return []
    ways: dict[int, dict[str, Entered]] = {}
    for each in notes.entered():
        start = each.unit.base + each.definition.name_start
        ways.setdefault(start, {}).setdefault(_title(each, notes), each)
    lenses: list[CodeLens] = []
    for start, known in sorted(ways.items()):
        left = len(known) - _MOST
        for place, (title, entered) in enumerate([*known.items()][:_MOST]):
            more = f" (and {left} more)" if left > 0 and place == _MOST - 1 else ""
            name = entered.definition.name
            lenses.append(
                {
                    "range": notes.range(start, start + len(name)),
                    "command": {
                        "title": f"{title}{more}",
                        "command": SHOW,
                        "arguments": [notes.location(entered.situation.transforms[0].spot)],
                    },
                }
            )
    return lenses


def _title(entered: Entered, notes: Notes) -> str:
    """In a line, how a function is traced."""
    transform = entered.situation.transforms[0]
    label = transform.label.removesuffix(f" of `{entered.definition.name}`").replace("`", "")
    types = [
        (type_words(value) if value is not None else None) or "?"
        for name, value in entered.arguments
        if name not in ("self", "cls")
    ]
    shown = ", ".join([t.removeprefix("traced ") for t in types[:_MOST_ARGUMENTS]])
    if len(types) > _MOST_ARGUMENTS:
        shown += ", ..."
    known = f" as {shown}" if any(each != "?" for each in types) else ""
    perhaps = "probably " if transform.is_presumed else ""
    return f"{perhaps}traced by {label} ({notes.place_words(transform.spot)}){known}"
