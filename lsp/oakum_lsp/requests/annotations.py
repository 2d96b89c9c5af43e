"""Requests for what is shown in the text beside diagnostics: hover, inlay hints, code lenses and
tokens.

Invariants:
- What is answered is about the text that the document has now, or nothing.
- After what is shown may have changed without an edit of its document, the editor is asked to ask
  again, once for each kind that it can be asked for.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, Literal, cast

from oakum_lsp.client_settings import ClientSettings
from oakum_lsp.documents import Document
from oakum_lsp.messages import Request, answer, client_request
from oakum_lsp.parameters import Reader as Params
from oakum_lsp.parameters import document_uri
from oakum_lsp.protocol import InlayHint, Position, Range
from oakum_lsp.requests.questions import Questions

if TYPE_CHECKING:
    from oakum_lsp.analysis_worker import Answer

Kind = Literal["hover", "inlay hints", "code lenses", "tokens"]

_EMPTY: Final[Mapping[Kind, object]] = {
    "hover": None,
    "inlay hints": [],
    "code lenses": [],
    "tokens": {"data": []},
}


class Annotations:
    """Answers these requests."""

    def __init__(
        self,
        documents: Mapping[str, Document],
        questions: Questions,
        settings: ClientSettings,
        send: Callable[[bytes], None],
    ) -> None:
        self._documents = documents
        self._questions = questions
        self._settings = settings
        self._send = send
        self._is_outdated = False

    def hover(self, request: Request) -> None:
        """Answers what is known at a place."""
        place = Params(request.params).member("position").position()
        self._ask(request, "hover", place)

    def inlay_hints(self, request: Request) -> None:
        """Answers the hints of a range."""
        asked = Params(request.params).member("range").range()
        if self._settings.inlay_hints:
            self._ask(request, "inlay hints", None, asked)
        else:
            self._send(answer(request.id, []))

    def code_lenses(self, request: Request) -> None:
        """Answers the lenses of a document."""
        if self._settings.code_lens:
            self._ask(request, "code lenses", None)
        else:
            self._send(answer(request.id, []))

    def tokens(self, request: Request) -> None:
        """Answers the tokens of a document."""
        self._ask(request, "tokens", None)

    def _ask(
        self, request: Request, kind: Kind, place: Position | None, asked: Range | None = None
    ) -> None:
        uri = document_uri(request.params)
        document = self._documents.get(uri)
        if document is None or document.refusal:
            self._send(answer(request.id, _EMPTY[kind]))
            return

        def answered(found: "Answer | None") -> bytes:
            result = None if found is None else found["result"]
            if result is None or self._documents.get(uri) is not document:
                result = _EMPTY[kind]
            elif asked is not None:
                lines = range(asked["start"]["line"], asked["end"]["line"] + 1)
                hints = cast("list[InlayHint]", result)
                result = [each for each in hints if each["position"]["line"] in lines]
            return answer(request.id, result)

        self._questions.ask(
            request.id, {"uri": uri, "kind": kind, "place": place, "findings": []}, answered
        )

    # --- asking again -------------------------------------------------------------------------

    def note_change(self) -> None:
        """Notes that more may be shown otherwise than what is in an edited document."""
        self._is_outdated = True

    def refresh(self) -> None:
        """Asks the editor to ask again, where something has changed."""
        if self._is_outdated or self._settings.take_change():
            self._is_outdated = False
            for name in self._settings.refreshed:
                self._send(client_request(f"oakum-{name}", f"workspace/{name}/refresh", None))
