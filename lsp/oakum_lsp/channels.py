"""The two ways by which diagnostics come to an editor: the server sends them, or the editor pulls.

Invariants:
- What is pulled of an open document is what was found in the text that it has now: the answer waits
  for the check.
- An editor is asked to pull again when something has changed that it has pulled, and not again
  before it has answered.
"""

import hashlib
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Protocol

from oakum.values.records import dataclass
from oakum_lsp.documents import Document
from oakum_lsp.messages import (
    Id,
    answer_with,
    cancellation,
    client_request,
    compact_json,
    is_same_id,
)
from oakum_lsp.outcomes import Outcome, publication, publication_of_file, withdrawal

if TYPE_CHECKING:
    from oakum_lsp.display import Display

Send = Callable[[bytes], None]


class Channel(Protocol):
    """Hears what is to be shown."""

    def show(self, outcome: Outcome) -> None:
        """Shows what was found in an open document."""
        ...

    def show_file(self, uri: str, diagnostics: str) -> None:
        """Shows what was found in a file that is not open."""
        ...

    def take_away(self, uri: str) -> None:
        """Takes the diagnostics of a document or a file away."""
        ...


class Pushes:
    """Sends all that is to be shown."""

    def __init__(self, send: Send) -> None:
        self._send = send

    def show(self, outcome: Outcome) -> None:
        """Shows what was found in an open document."""
        self._send(publication(outcome))

    def show_file(self, uri: str, diagnostics: str) -> None:
        """Shows what was found in a file that is not open."""
        self._send(publication_of_file(uri, diagnostics))

    def take_away(self, uri: str) -> None:
        """Takes the diagnostics of a document or a file away."""
        self._send(withdrawal(uri))


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A request for the diagnostics of a document that is being checked."""

    request: Id
    uri: str
    previous: str


class Pulls:
    """Answers an editor that pulls."""

    REFRESH = "oakum-refresh"
    """The request that asks the editor to pull again."""

    def __init__(self, documents: Mapping[str, Document], send: Send) -> None:
        self._documents = documents
        self._send = send
        self._waiting: list[_Waiting] = []
        self._pulled: dict[str, str] = {}
        """What stands for the diagnostics that the editor has, by the document or file."""
        self._is_outdated = False
        self._is_asked = False

    # --- what the editor asks -----------------------------------------------------------------

    def pull(self, request: Id, uri: str, previous: str, display: "Display") -> None:
        """Answers for a document, as soon as its text is checked, or a file."""
        if uri in self._documents and display.outcome(uri) is None:
            self._waiting.append(_Waiting(request, uri, previous))
            return
        self._answer(request, uri, previous, display.shown(uri))

    def pull_workspace(self, previous: Mapping[str, str], display: "Display") -> str:
        """The result for all that is known of the workspace, as JSON."""
        reports: list[str] = []
        for uri, diagnostics in display.everything(previous):
            document = self._documents.get(uri)
            about = {"uri": uri, "version": None if document is None else document.version}
            report = self._report(uri, previous.get(uri, ""), diagnostics)
            reports.append(f"{compact_json(about)[:-1]},{report[1:]}")
        return f'{{"items":[{",".join(reports)}]}}'

    def cancel(self, request: Id | None, reason: str) -> None:
        """Answers a request that waits, or all, with an error."""
        for waiting in [*self._waiting]:
            if request is None or is_same_id(waiting.request, request):
                self._waiting.remove(waiting)
                self._send(cancellation(waiting.request, reason))

    def note_answer(self) -> None:
        """Notes that the editor has answered the request to pull again."""
        self._is_asked = False
        self._ask()

    def _answer(self, request: Id, uri: str, previous: str, diagnostics: str) -> None:
        self._send(answer_with(request, self._report(uri, previous, diagnostics)))

    def _report(self, uri: str, previous: str, diagnostics: str) -> str:
        mark = self._pulled[uri] = hashlib.sha256(diagnostics.encode()).hexdigest()[:16]
        if mark == previous:
            return f'{{"kind":"unchanged","resultId":"{mark}"}}'
        return f'{{"kind":"full","resultId":"{mark}","items":{diagnostics}}}'

    # --- what is to be shown ------------------------------------------------------------------

    def show(self, outcome: Outcome) -> None:
        """Answers who waits for a document, or has the editor pull it again."""
        uri = outcome.document.uri
        waiting = [each for each in self._waiting if each.uri == uri]
        for each in waiting:
            self._waiting.remove(each)
            self._answer(each.request, uri, each.previous, outcome.diagnostics)
        if not waiting:
            self._note(uri, outcome.diagnostics)

    def show_file(self, uri: str, diagnostics: str) -> None:
        """Has the editor pull a file again."""
        self._note(uri, diagnostics)

    def take_away(self, uri: str) -> None:
        """Has the editor pull what was taken away; nobody waits for a document that was closed."""
        for waiting in [each for each in self._waiting if each.uri == uri]:
            self._waiting.remove(waiting)
            self._answer(waiting.request, uri, waiting.previous, "[]")
        self._note(uri, "[]")

    def _note(self, uri: str, diagnostics: str) -> None:
        mark = hashlib.sha256(diagnostics.encode()).hexdigest()[:16]
        known = self._pulled.get(uri)
        if mark != known and not (known is None and diagnostics == "[]"):
            self._is_outdated = True
            self._ask()

    def _ask(self) -> None:
        if self._is_outdated and not self._is_asked:
            self._is_outdated, self._is_asked = False, True
            self._send(client_request(self.REFRESH, "workspace/diagnostic/refresh", None))
