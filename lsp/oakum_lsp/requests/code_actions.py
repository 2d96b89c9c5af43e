"""Requests for code actions: fixes that are known are answered at once, all safe fixes of a
document when an analysis has made them.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, cast

from oakum_lsp.display import Display
from oakum_lsp.documents import Document
from oakum_lsp.messages import Id, Request, answer
from oakum_lsp.parameters import Reader as Params
from oakum_lsp.parameters import document_uri
from oakum_lsp.protocol import FIX_ALL, QUICK_FIX, CodeAction, TextEdit
from oakum_lsp.requests.offered import offered_actions, wants
from oakum_lsp.requests.questions import Questions

if TYPE_CHECKING:
    from oakum_lsp.analysis_worker import Answer


class CodeActions:
    """Answers requests for code actions."""

    def __init__(
        self,
        documents: Mapping[str, Document],
        display: Display,
        questions: Questions,
        send: Callable[[bytes], None],
    ) -> None:
        self._documents = documents
        self._display = display
        self._questions = questions
        self._send = send

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
            actions = offered_actions(asked, outcome)
        if document is None or document.refusal or not only or not wants(FIX_ALL, only):
            self._send(answer(request.id, actions))
        else:
            self._fix_all(request.id, document, actions)

    def _fix_all(self, request: Id, document: Document, actions: list[CodeAction]) -> None:
        def answered(found: "Answer | None") -> bytes:
            edits = cast("dict[str, list[TextEdit]] | None", found and found["result"])
            if edits and self._documents.get(document.uri) is document:
                actions.append(
                    {
                        "title": "Make all safe fixes of oakum",
                        "kind": FIX_ALL,
                        "edit": {"changes": edits},
                    }
                )
            return answer(request, actions)

        self._questions.ask(
            request, {"uri": document.uri, "kind": "fixes", "place": None}, answered
        )
