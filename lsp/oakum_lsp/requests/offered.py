"""Which actions for the findings in a document are offered for a range."""

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, cast

from oakum_lsp.documents import Document
from oakum_lsp.outcomes import Outcome
from oakum_lsp.positions import START, touch
from oakum_lsp.protocol import (
    QUICK_FIX,
    SHOW,
    CodeAction,
    Command,
    Diagnostic,
    Marked,
    Range,
    TextEdit,
    WorkspaceEdit,
)

if TYPE_CHECKING:
    from oakum_lsp.features.actions import Offer


def offered_actions(asked: Range, outcome: Outcome, *, resolves_edits: bool) -> list[CodeAction]:
    """What is offered for the findings that a range of a document touches: their fixes, those of
    all findings of a rule together, then the comments that suppress them, one comment for all
    findings of a code that it hides, then the pages of the rules. Where the editor resolves edits,
    fixes have none yet.
    """
    uri = outcome.document.uri
    diagnostics = cast("list[Diagnostic]", json.loads(outcome.diagnostics))
    offers = cast("list[Offer]", json.loads(outcome.offers))
    touched = [each for each in diagnostics if touch(each["range"], asked)]
    fixes: list[CodeAction] = []
    suppressions: list[CodeAction] = []
    for offer in offers:
        diagnostic = diagnostics[offer["diagnostic"]]
        if not touch(diagnostic["range"], asked):
            continue
        edit: WorkspaceEdit = {"changes": {uri: offer["edits"]}}
        actions = suppressions if offer["suppresses"] else fixes
        for action in actions:
            if action["title"] == offer["title"] and action.get("edit") == edit:
                action.setdefault("diagnostics", []).append(diagnostic)
                break
        else:
            actions.append(
                {
                    "title": offer["title"],
                    "kind": QUICK_FIX,
                    "diagnostics": [diagnostic],
                    "isPreferred": offer["preferred"],
                    "edit": edit,
                }
            )
    for code in dict.fromkeys(each["code"] for each in touched):
        own = [each for each in offers if diagnostics[each["diagnostic"]]["code"] == code]
        edits = _together([each["edits"] for each in own if each["preferred"]])
        if edits:
            fixes.append(
                {
                    "title": f"Make all safe fixes of {code} here",
                    "kind": QUICK_FIX,
                    "diagnostics": [diagnostics[e["diagnostic"]] for e in own if e["preferred"]],
                    "edit": {"changes": {uri: edits}},
                }
            )
    if resolves_edits:
        fixes = [_unresolved(fix, outcome.document) for fix in fixes]
    return [*fixes, *suppressions, *_explanations(touched)]


def _unresolved(action: CodeAction, document: Document) -> CodeAction:
    """A fix without its edits: with what they are made of."""
    findings: list[Marked] = [
        {"code": each["code"], "range": each["range"]} for each in action.get("diagnostics", ())
    ]
    made = action.copy()
    made.pop("edit", None)
    made["data"] = {"uri": document.uri, "version": document.version, "findings": findings}
    return made


def _together(fixes: Sequence[list[TextEdit]]) -> list[TextEdit]:
    """The edits of several fixes, one that they share once; none where there are not several, or
    where two of them change the same place in different ways.
    """
    edits: list[TextEdit] = []
    for edit in (each for fix in fixes for each in fix):
        if edit not in edits:
            if any(touch(edit["range"], other["range"]) for other in edits):
                return []
            edits.append(edit)
    return edits if len(fixes) > 1 else []


def _explanations(diagnostics: Sequence[Diagnostic]) -> Iterator[CodeAction]:
    """The actions that open the pages of rules."""
    pages = {
        each["code"]: each["codeDescription"]["href"]
        for each in diagnostics
        if "codeDescription" in each
    }
    for code, href in pages.items():
        title = f"Explain {code}"
        command: Command = {
            "title": title,
            "command": SHOW,
            "arguments": [{"uri": href, "range": START}],
        }
        own = [each for each in diagnostics if each["code"] == code]
        yield {"title": title, "kind": QUICK_FIX, "diagnostics": own, "command": command}


def wants(kind: str, only: Sequence[str] | None) -> bool:
    """Whether a request that names some kinds of actions, or none, is for one of a kind.

    >>> wants("quickfix", None), wants("source.fixAll.oakum", ["source.fixAll"])
    (True, True)
    """
    return only is None or any(f"{kind}.".startswith(f"{wanted}.") for wanted in only)
