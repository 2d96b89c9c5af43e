"""Requests for code actions: fixes that are known are answered at once, all safe fixes of a
document when an analysis has made them.

Invariant: where the editor resolves edits, a fix has some only if an analysis has confirmed them.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, cast

from oakum_lsp.display import Display
from oakum_lsp.documents import Document
from oakum_lsp.messages import ErrorCode, Id, Request, ResponseError, answer, error_answer
from oakum_lsp.parameters import Reader as Params
from oakum_lsp.parameters import document_uri
from oakum_lsp.protocol import FIX_ALL, QUICK_FIX, CodeAction, Marked, TextEdit
from oakum_lsp.requests.offered import offered_actions, wants
from oakum_lsp.requests.questions import Questions

if TYPE_CHECKING:
    from oakum_lsp.analysis_worker import Answer, Asked

_REFUTED: Final = "this fix is not made: no analysis has confirmed it"


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
        self.resolves_edits = False
        """Whether the editor asks for the edits of an action once that is chosen."""

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
            actions = offered_actions(asked, outcome, resolves_edits=self.resolves_edits)
        if document is None or document.refusal or not only or not wants(FIX_ALL, only):
            self._send(answer(request.id, actions))
        else:
            self._fix_all(request.id, document, actions)

    def resolve(self, request: Request) -> None:
        """Answers an action with its edits, once an analysis has confirmed them."""
        params = Params(request.params)
        if not params.has("data"):
            self._send(answer(request.id, request.params))
            return
        data = params.member("data")
        uri, version = data.member("uri").text(), data.member("version").value
        findings: list[Marked] = [
            {"code": each.member("code").text(), "range": each.member("range").range()}
            for each in data.member("findings").items()
        ]
        document = self._documents.get(uri)
        if document is None or document.version != version:
            raise ResponseError(ErrorCode.CONTENT_MODIFIED, "the document has changed")

        def answered(found: "Answer | None") -> bytes:
            edits = cast("dict[str, list[TextEdit]] | None", found and found["result"])
            if self._documents.get(uri) is not document:
                error = ResponseError(ErrorCode.CONTENT_MODIFIED, "the document has changed")
                return error_answer(request.id, error)
            if not edits:
                error = ResponseError(ErrorCode.REQUEST_FAILED, _REFUTED)
                return error_answer(request.id, error)
            action = cast("CodeAction", request.params)
            return answer(request.id, {**action, "edit": {"changes": edits}})

        asked: Asked = {"uri": uri, "kind": "chosen fixes", "place": None, "findings": findings}
        self._questions.ask(request.id, asked, answered)

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
            request, {"uri": document.uri, "kind": "fixes", "place": None, "findings": []}, answered
        )
