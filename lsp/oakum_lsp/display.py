"""What the editor is shown: of open documents, and of files that are not open.

An open document has what the check with the project around it found, as long as its text and what
the quick check finds in it are the same; then what the quick check finds, and what is carried over.

Invariants:
- What only the check with the project found in a document stands, until that check has seen the
  new text, in the lines that have not changed.
- A file that is not open is shown what open documents cause in it, and nothing once it is opened,
  changed on disk, or no document causes it.
"""

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from oakum.values.records import dataclass
from oakum_lsp.carrying import carry
from oakum_lsp.documents import Document, path_of
from oakum_lsp.outcomes import Outcome, publication, publication_of_file, withdrawal

if TYPE_CHECKING:
    from oakum_lsp.analysis_worker import Found


@dataclass(frozen=True, slots=True)
class _Wide:
    """What was found in a document with its project, and what the quick check had found then."""

    outcome: Outcome
    quick: str


class Display:
    """What the editor was sent, and what it is to be sent."""

    def __init__(self, documents: Mapping[str, Document], send: Callable[[bytes], None]) -> None:
        self._documents = documents
        self._send = send
        self._quick: dict[str, Outcome] = {}
        self._wide: dict[str, _Wide] = {}
        self._elsewhere: dict[str, str] = {}
        """The diagnostics of files that are not open, by their URIs."""

    def outcome(self, uri: str) -> Outcome | None:
        """What is known of the text that a document has now."""
        wide, quick = self._wide.get(uri), self._quick.get(uri)
        known = quick if wide is None else wide.outcome
        return known if known and self._documents.get(uri) is known.document else None

    def show(self, outcome: Outcome) -> None:
        """Takes what the quick check found in a document."""
        uri = outcome.document.uri
        self._quick[uri] = outcome
        wide = self._wide.get(uri)
        if wide is not None:
            if wide.outcome.document is outcome.document and wide.quick == outcome.diagnostics:
                shown = wide.outcome
            else:
                shown = carry(wide.outcome, wide.quick, outcome)
            if shown is None:
                del self._wide[uri]
            else:
                self._wide[uri] = _Wide(shown, outcome.diagnostics)
                outcome = shown
        self._send(publication(outcome))

    def show_with_project(
        self, checked: Mapping[str, Outcome], found: Mapping[str, "Found"]
    ) -> None:
        """Takes what a check with the project found, in the documents that it checked, whose quick
        outcomes these are, and in other files.
        """
        for uri, quick in checked.items():
            if uri not in found:
                continue
            before = self.outcome(uri)
            document = quick.document
            after = Outcome(document, found[uri]["diagnostics"], found[uri]["offers"])
            self._wide[uri] = _Wide(after, quick.diagnostics)
            if before is None or before.diagnostics != after.diagnostics:
                self._send(publication(after))
        opened = {os.path.realpath(document.path) for document in self._documents.values()}
        self._replace_elsewhere(
            {
                uri: each["diagnostics"]
                for uri, each in found.items()
                if uri not in checked and os.path.realpath(path_of(uri)) not in opened
            }
        )

    def forget_project(self) -> None:
        """Takes away what was found with the project."""
        for uri, wide in list(self._wide.items()):
            del self._wide[uri]
            quick = self.outcome(uri)
            if quick is not None and quick.diagnostics != wide.outcome.diagnostics:
                self._send(publication(quick))
        self._replace_elsewhere({})

    def open(self, document: Document) -> None:
        """Forgets what was shown of the file that a document is opened from; what is found in the
        document takes its place.
        """
        if self._elsewhere.pop(document.uri, None) is None:
            self.forget_file(document.path)

    def close(self, uri: str) -> None:
        """Takes the diagnostics of a document away, which was closed."""
        self._quick.pop(uri, None)
        self._wide.pop(uri, None)
        self._send(withdrawal(uri))

    def forget_file(self, path: str) -> None:
        """Takes away what is shown of a file that is not open: its text is another one now."""
        real = os.path.realpath(path)
        for uri in [uri for uri in self._elsewhere if os.path.realpath(path_of(uri)) == real]:
            del self._elsewhere[uri]
            self._send(withdrawal(uri))

    def _replace_elsewhere(self, found: dict[str, str]) -> None:
        for uri in [uri for uri in self._elsewhere if uri not in found]:
            self._send(withdrawal(uri))
        for uri, diagnostics in found.items():
            if self._elsewhere.get(uri) != diagnostics:
                self._send(publication_of_file(uri, diagnostics))
        self._elsewhere = found
