"""Requests for code actions: fixes that are known are answered at once, all safe fixes of a
document when an analysis has made them.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from oakum_lsp.checks import Checks
from oakum_lsp.display import Display
from oakum_lsp.documents import Document
from oakum_lsp.messages import Id, Request, answer, cancellation, is_same_id
from oakum_lsp.offered import offered_fixes, wants
from oakum_lsp.parameters import Reader as Params
from oakum_lsp.parameters import document_uri
from oakum_lsp.protocol import FIX_ALL, QUICK_FIX, CodeAction

if TYPE_CHECKING:
    from oakum_lsp.analysis_worker import Answer


class CodeActions:
    """Answers requests for code actions."""

    def __init__(
        self,
        documents: Mapping[str, Document],
        display: Display,
        checks: Checks,
        send: Callable[[bytes], None],
    ) -> None:
        self._documents = documents
        self._display = display
        self._checks = checks
        self._send = send
        self._awaited: dict[object, Id] = {}
        """The requests that wait for an analysis, each under a token of its own."""

    def take(self, request: Request) -> None:
        """Answers a request, now or later."""
        params = Params(request.params)
        uri, asked = document_uri(request.params), params.member("range").range()
        context = params.member("context")
        context.member("diagnostics").items()
        only: list[str] | None = None
        if context.has("only"):
            only = [each.text() for each in context.member("only").items()]
        document = self._documents.get(uri)
        outcome = self._display.outcome(uri)
        actions: list[CodeAction] = []
        if outcome is not None and wants(QUICK_FIX, only):
            actions = offered_fixes(asked, outcome)
        if document is None or document.refusal or not only or not wants(FIX_ALL, only):
            self._send(answer(request.id, actions))
        else:
            self._fix_all(request.id, document, actions)

    def _fix_all(self, request: Id, document: Document, actions: list[CodeAction]) -> None:
        token = object()
        self._awaited[token] = request

        def done(found: "Answer | None") -> None:
            if self._awaited.pop(token, None) is None:
                return  # cancelled
            edits = found["edits"] if found is not None else None
            if edits and self._documents.get(document.uri) is document:
                actions.append(
                    {
                        "title": "Make all safe fixes of oakum",
                        "kind": FIX_ALL,
                        "edit": {"changes": {document.uri: edits}},
                    }
                )
            self._send(answer(request, actions))

        self._checks.fix(document.uri, done)

    def cancel(self, request: Id | None, reason: str) -> None:
        """Answers a request that waits, or all, with an error."""
        for token, known in list(self._awaited.items()):
            if request is None or is_same_id(known, request):
                del self._awaited[token]
                self._send(cancellation(known, reason))
