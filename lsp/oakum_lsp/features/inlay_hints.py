"""Inlay hints: behind the names that traced functions bind, what arrays they are bound to.

Invariants:
- A line has one hint at most, behind the last name that it binds to arrays.
- Only a binding has a hint: what an expression is says the hover.
"""

from oakum_lint.app.live.observations import Seen
from oakum_lint.app.value_words import type_words
from oakum_lsp.features.notes import Notes, traced_values
from oakum_lsp.protocol import TYPE_HINT, InlayHint

_MOST_TYPES = 3
"""What is bound to more different types has no hint: which of them counts, nobody sees."""

_WORDS = """traced: a tracer, of which the program knows the type only.
~: weakly typed, it takes the dtype of what it meets.
numpy: an array of NumPy, a constant of the trace."""


def inlay_hints(notes: Notes | None) -> list[InlayHint]:
    """The hints of a document."""
    if notes is None:
        return []
    lines: dict[int, list[tuple[int, str | None]]] = {}
    for seen in notes.seen():
        if seen.is_binding and traced_values(seen):
            end = seen.span[1]
            lines.setdefault(notes.table.place(end)[0], []).append((end, _types(seen)))
    hints: list[InlayHint] = []
    for _, bound in sorted(lines.items()):
        bound.sort()
        known = [(end, words) for end, words in bound if words is not None]
        if not known:
            continue
        # As annotations are read: `a, b: f32[2], f32[]`, but `a: f32[2], b` where only `a` is one.
        shown = known if len(known) == len(bound) else known[-1:]
        end, words = shown[-1][0], ", ".join(each for _, each in shown)
        hints.append(
            {
                "position": notes.range(end, end)["start"],
                "label": f": {words}",
                "kind": TYPE_HINT,
                "tooltip": _WORDS,
                "paddingLeft": False,
            }
        )
    return hints


def _types(seen: Seen) -> str | None:
    """The types that a name is bound to."""
    found = dict.fromkeys(type_words(value) for value, _ in traced_values(seen))
    known = [words for words in found if words is not None]
    return " | ".join(known) if 0 < len(known) <= _MOST_TYPES else None
