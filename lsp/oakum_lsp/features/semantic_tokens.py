"""Semantic tokens: the names that stand for tracers wherever their code runs under a transform."""

from oakum_lint.app.live.observations import Seen
from oakum_lint.domain.values import is_tracer
from oakum_lint.syntax import nodes
from oakum_lsp.features.notes import Notes, traced_values


def semantic_tokens(notes: Notes | None) -> dict[str, list[int]]:
    """The tokens of a document, each in five numbers: the lines and characters since the one
    before, its length, its type and its modifiers.
    """
    if notes is None:
        return {"data": []}
    spans = sorted(
        {
            each.span
            for each in notes.seen()
            if isinstance(each.node, nodes.Name) and _is_traced(each)
        }
    )
    data: list[int] = []
    line, character = 0, 0
    for span in spans:
        place = notes.range(*span)
        start, end = place["start"], place["end"]
        before = character if start["line"] == line else 0
        data += (start["line"] - line, start["character"] - before)
        data += (end["character"] - start["character"], 0, 1)
        line, character = start["line"], start["character"]
    return {"data": data}


def _is_traced(seen: Seen) -> bool:
    found = traced_values(seen)
    return bool(found) and all(is_tracer(value) for value, _ in found)
