"""What the editor is shown: of open documents, and of files that are not open.

An open document has what the check with the project around it found, as long as its text and what
the quick check finds in it are the same; then what the quick check finds, and what is carried over.

Invariants:
- What only the check with the project found in a document stands, until that check has seen the
  new text, in the lines that have not changed.
- A file that is not open is shown what the check of the workspace found in it, and what open
  documents cause in it now; and nothing of that once it is opened or changed on disk.
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from oakum.values.records import dataclass
from oakum_lsp.carrying import added_to, carry, without
from oakum_lsp.channels import Channel
from oakum_lsp.documents import Document, path_of
from oakum_lsp.outcomes import Outcome

if TYPE_CHECKING:
    from oakum_lsp.analysis_worker import Found

_NOTHING = "[]"


@dataclass(frozen=True, slots=True)
class _Wide:
    """What was found in a document with its project, and what the quick check had found then."""

    outcome: Outcome
    quick: str


class Display:
    """What the editor was shown, and what it is to be shown."""

    def __init__(self, documents: Mapping[str, Document], channel: Channel) -> None:
        self._documents = documents
        self.channel = channel
        self._quick: dict[str, Outcome] = {}
        self._wide: dict[str, _Wide] = {}
        self._elsewhere: dict[str, str] = {}
        """What open documents cause in files that are not open, by the files' URIs."""
        self._workspace: dict[str, str] = {}
        """What the check of the workspace found, by the URIs of files."""
        self._shown: dict[str, str] = {}
        """What is shown of files that are not open."""

    # --- what is known ------------------------------------------------------------------------

    def outcome(self, uri: str) -> Outcome | None:
        """What is known of the text that a document has now."""
        wide, quick = self._wide.get(uri), self._quick.get(uri)
        known = quick if wide is None else wide.outcome
        return known if known and self._documents.get(uri) is known.document else None

    def shown(self, uri: str) -> str:
        """The diagnostics of an open document, or of a file that is not open."""
        outcome = self.outcome(uri)
        return outcome.diagnostics if outcome is not None else self._shown.get(uri, _NOTHING)

    def everything(self, asked: Iterable[str]) -> Iterator[tuple[str, str]]:
        """Yields the diagnostics of all documents and files that have some, and of those asked for
        by their URIs, unless they are just being checked.
        """
        for uri in {**dict.fromkeys(asked), **self._documents, **self._shown}:
            if uri not in self._documents or self.outcome(uri) is not None:
                yield uri, self.shown(uri)

    # --- open documents -----------------------------------------------------------------------

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
        self.channel.show(outcome)

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
                self.channel.show(after)
        self._replace_elsewhere(
            {uri: each["diagnostics"] for uri, each in found.items() if uri not in checked}
        )

    def forget_project(self) -> None:
        """Takes away what was found with the project."""
        for uri, wide in list(self._wide.items()):
            del self._wide[uri]
            quick = self.outcome(uri)
            if quick is not None and quick.diagnostics != wide.outcome.diagnostics:
                self.channel.show(quick)
        self._replace_elsewhere({})

    def open(self, document: Document) -> None:
        """Forgets what was shown of the file that a document is opened from; what is found in the
        document takes its place.
        """
        self._elsewhere.pop(document.uri, None)
        if self._shown.pop(document.uri, None) is None:
            for uri in self._uris_of(document.path):
                self._elsewhere.pop(uri, None)
                self._show_file(uri, _NOTHING)

    def close(self, uri: str) -> None:
        """Takes the diagnostics of a document away, which was closed."""
        self._quick.pop(uri, None)
        self._wide.pop(uri, None)
        self.channel.take_away(uri)
        self._show_files()

    # --- files that are not open --------------------------------------------------------------

    def show_workspace(self, found: Mapping[str, "Found"]) -> None:
        """Takes what the check of the workspace found."""
        self._workspace = {uri: each["diagnostics"] for uri, each in found.items()}
        self._show_files()

    def forget_workspace(self) -> None:
        """Takes away what the check of the workspace found."""
        self.show_workspace({})

    def forget_file(self, path: str) -> None:
        """Takes away what is shown of a file that is not open: its text is another one now."""
        for uri in self._uris_of(path):
            self._elsewhere.pop(uri, None)
            self._workspace.pop(uri, None)
            self._show_file(uri, _NOTHING)

    def _uris_of(self, path: str) -> list[str]:
        """The URIs by which a file is known that is not open."""
        real = os.path.realpath(path)
        known = {**self._shown, **self._elsewhere, **self._workspace}
        return [uri for uri in known if os.path.realpath(path_of(uri)) == real]

    def _replace_elsewhere(self, found: dict[str, str]) -> None:
        for uri, before in self._elsewhere.items():
            # What a document caused, and causes no more, the workspace does not show either.
            if uri in self._workspace:
                gone = without(before, found.get(uri, _NOTHING))
                self._workspace[uri] = without(self._workspace[uri], gone)
        self._elsewhere = found
        self._show_files()

    def _show_files(self) -> None:
        """Shows of each file that is not open what is known of it."""
        opened = {os.path.realpath(document.path) for document in self._documents.values()}
        for uri in {**self._shown, **self._elsewhere, **self._workspace}:
            if os.path.realpath(path_of(uri)) in opened:
                diagnostics = _NOTHING
            else:
                whole = self._workspace.get(uri, _NOTHING)
                diagnostics = added_to(whole, self._elsewhere.get(uri, _NOTHING))
            self._show_file(uri, diagnostics)

    def _show_file(self, uri: str, diagnostics: str) -> None:
        if self._shown.get(uri, _NOTHING) == diagnostics:
            return
        if diagnostics == _NOTHING:
            del self._shown[uri]
            if uri not in self._documents:
                self.channel.take_away(uri)
        else:
            self._shown[uri] = diagnostics
            self.channel.show_file(uri, diagnostics)
