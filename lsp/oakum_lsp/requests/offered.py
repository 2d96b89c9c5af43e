"""Which of the fixes and suppressions of the findings in a document are offered for a range."""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from oakum_lsp.outcomes import Outcome
from oakum_lsp.positions import touch
from oakum_lsp.protocol import QUICK_FIX, CodeAction, Diagnostic, Range

if TYPE_CHECKING:
    from oakum_lsp.features.actions import Offer


def offered_fixes(asked: Range, outcome: Outcome) -> list[CodeAction]:
    """The fixes of the findings that a range of a document touches, then the comments that suppress
    them: one comment for all findings of a code that it hides.
    """
    uri = outcome.document.uri
    diagnostics = cast("list[Diagnostic]", json.loads(outcome.diagnostics))
    actions: list[CodeAction] = []
    for offer in cast("list[Offer]", json.loads(outcome.offers)):
        diagnostic = diagnostics[offer["diagnostic"]]
        if not touch(diagnostic["range"], asked):
            continue
        changes = {uri: offer["edits"]}
        for action in actions:
            if action["title"] == offer["title"] and action["edit"]["changes"] == changes:
                action.setdefault("diagnostics", []).append(diagnostic)
                break
        else:
            actions.append(
                {
                    "title": offer["title"],
                    "kind": QUICK_FIX,
                    "diagnostics": [diagnostic],
                    "isPreferred": offer["preferred"],
                    "edit": {"changes": changes},
                }
            )
    return actions


def wants(kind: str, only: Sequence[str] | None) -> bool:
    """Whether a request that names some kinds of actions, or none, is for one of a kind.

    >>> wants("quickfix", None), wants("source.fixAll.oakum", ["source.fixAll"])
    (True, True)
    """
    return only is None or any(f"{kind}.".startswith(f"{wanted}.") for wanted in only)
