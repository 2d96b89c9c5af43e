"""Which of the fixes that were found for a document are offered for a range of it."""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from oakum_lsp.outcomes import Outcome
from oakum_lsp.positions import touch
from oakum_lsp.protocol import QUICK_FIX, CodeAction, Diagnostic, Range

if TYPE_CHECKING:
    from oakum_lsp.features.actions import Offer


def offered_fixes(asked: Range, outcome: Outcome) -> list[CodeAction]:
    """The fixes of the findings that a range of a document touches."""
    uri = outcome.document.uri
    diagnostics = cast("list[Diagnostic]", json.loads(outcome.diagnostics))
    actions: list[CodeAction] = []
    for offer in cast("list[Offer]", json.loads(outcome.offers)):
        diagnostic = diagnostics[offer["diagnostic"]]
        if touch(diagnostic["range"], asked):
            actions.append(
                {
                    "title": offer["title"] if offer["safe"] else f"{offer['title']} (unsafe)",
                    "kind": QUICK_FIX,
                    "diagnostics": [diagnostic],
                    "isPreferred": offer["safe"],
                    "edit": {"changes": {uri: offer["edits"]}},
                }
            )
    return actions


def wants(kind: str, only: Sequence[str] | None) -> bool:
    """Whether a request that names some kinds of actions, or none, is for one of a kind.

    >>> wants("quickfix", None), wants("source.fixAll.oakum", ["source.fixAll"])
    (True, True)
    """
    return only is None or any(f"{kind}.".startswith(f"{wanted}.") for wanted in only)
