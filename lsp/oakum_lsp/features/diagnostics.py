"""Diagnostics: publishes the findings of open documents, as they are in the editor.

Invariants:
- The text of an open document counts, not what is on disk, also where another document imports it.
- One analysis runs at a time, on a thread of its own; what it finds is published only if no
  document has changed since.
- Nothing that goes wrong in a check ends the server: it is logged, and the last findings stand.
"""

import asyncio
import traceback
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path, urlparse

from oakum_lint.config import ConfigurationError, load
from oakum_lint.facts.unit_cache import UnitCache
from oakum_lint.finding import Finding, Severity
from oakum_lint.report.frame import lines_of
from oakum_lint.runner import check_files
from oakum_lint.settings import Settings
from oakum_lsp.features import pages
from oakum_lsp.features.actions import FIX_ALL, Offer, fix_all, make_offer, quick_fixes
from oakum_lsp.positions import to_range

SOURCE = "oakum"


class Document:
    """An open document as it was when a check of it began."""

    __slots__ = ("path", "text", "uri", "version")

    def __init__(self, uri: str, text: str, version: int | None) -> None:
        self.uri = uri
        self.path = to_fs_path(uri) or _name(uri)
        self.text = text
        self.version = version


def _name(uri: str) -> str:
    """A name for a document that is not a file, such as `untitled:Untitled-1`."""
    return urlparse(uri)[2] or "untitled.py"


class Diagnostics:
    """Checks the open documents some time after one of them changes, and publishes what is found.

    All of them are checked together, because a change in one can make a finding in another: the
    body of a helper is at fault only if a caller traces it.
    """

    def __init__(self, server: LanguageServer) -> None:
        self._server = server
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="oakum")
        self._pending: asyncio.Task[None] | None = None
        self._changed: set[str] = set()
        self._published: dict[str, list[types.Diagnostic]] = {}
        self._complaints: set[str] = set()
        self._offers: dict[str, tuple[int | None, list[Offer]]] = {}
        """The fixes for the documents, and for which version of each they were made."""
        self._cache = UnitCache()

    def request(self, uri: str, delay: float) -> None:
        """Checks after `delay` seconds, unless another request comes first.

        The findings of the document `uri` are published in any case, those of the others when
        they are not what was published last.
        """
        self._changed.add(uri)
        self._schedule(delay)

    def _schedule(self, delay: float) -> None:
        if self._pending is not None:
            self._pending.cancel()
        self._pending = asyncio.get_running_loop().create_task(self._check(delay))

    def close(self, uri: str) -> None:
        """Forgets a document and clears its findings."""
        self._changed.discard(uri)
        self._published.pop(uri, None)
        self._offers.pop(uri, None)
        self._publish(uri, None, [])
        self._schedule(0.0)  # for the others, what is on disk counts again

    async def _check(self, delay: float) -> None:
        await asyncio.sleep(delay)
        documents = [
            Document(uri, document.source, document.version)
            for uri, document in self._server.workspace.text_documents.items()
        ]
        encoding = self._server.workspace.position_encoding
        loop = asyncio.get_running_loop()
        try:
            # A request that is cancelled while it waits for the worker never reaches it.
            found = await loop.run_in_executor(
                self._worker, _check_documents, documents, encoding, self._cache
            )
        except ConfigurationError as error:
            self._complain(str(error))
            return
        except Exception:  # the server outlives any fault of a check
            self._log(f"oakum failed:\n{traceback.format_exc()}")
            return
        for document in documents:
            if document.uri not in self._server.workspace.text_documents:
                continue  # closed meanwhile
            diagnostics, offers = found[document.uri]
            self._offers[document.uri] = (document.version, offers)
            if document.uri in self._changed or diagnostics != self._published.get(document.uri):
                self._published[document.uri] = diagnostics
                self._publish(document.uri, document.version, diagnostics)
        self._changed.clear()

    async def actions(self, params: types.CodeActionParams) -> list[types.CodeAction]:
        """The fixes that an editor can offer for a range of a document."""
        uri, only = params.text_document.uri, params.context.only
        documents = self._server.workspace.text_documents
        if uri not in documents:
            return []
        found: list[types.CodeAction] = []
        version, offers = self._offers.get(uri, (None, []))
        if _wants(types.CodeActionKind.QuickFix, only) and version == documents[uri].version:
            found += quick_fixes(uri, params.range, offers)
        if only and _wants(FIX_ALL, only):
            paths = {u: Document(u, d.source, d.version) for u, d in documents.items()}
            texts = {document.path: document.text for document in paths.values()}
            encoding = self._server.workspace.position_encoding
            loop = asyncio.get_running_loop()
            action = await loop.run_in_executor(
                self._worker, fix_all, uri, paths[uri].path, texts, encoding
            )
            found += [action] if action is not None else []
        return found

    def _publish(
        self, uri: str, version: int | None, diagnostics: Sequence[types.Diagnostic]
    ) -> None:
        self._server.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(uri=uri, version=version, diagnostics=diagnostics)
        )

    def _complain(self, message: str) -> None:
        """Shows a mistake in the configuration, once."""
        if message not in self._complaints:
            self._complaints.add(message)
            self._server.window_show_message(
                types.ShowMessageParams(types.MessageType.Error, f"oakum: {message}")
            )

    def _log(self, message: str) -> None:
        self._server.window_log_message(types.LogMessageParams(types.MessageType.Error, message))


def _wants(kind: str, only: Sequence[str] | None) -> bool:
    """Whether a request that names some kinds of actions, or none, is for one of a kind."""
    return only is None or any(f"{kind}.".startswith(f"{wanted}.") for wanted in only)


def _check_documents(
    documents: Sequence[Document],
    encoding: types.PositionEncodingKind | str | None,
    cache: UnitCache,
) -> dict[str, tuple[list[types.Diagnostic], list[Offer]]]:
    """The diagnostics of each document and their fixes. Those of one project are analysed
    together.
    """
    found: dict[str, tuple[list[types.Diagnostic], list[Offer]]] = {
        document.uri: ([], []) for document in documents
    }
    lines = _Lines({document.path: document.text for document in documents})
    overlay = {Path(document.path): document.text for document in documents}
    by_path = {document.path: document for document in documents}
    projects: dict[str, tuple[Settings, list[str]]] = {}
    for document in documents:
        settings = load([document.path])
        if not settings.excludes(document.path):
            projects.setdefault(settings.root, (settings, []))[1].append(document.path)
    for settings, paths in projects.values():
        for finding in check_files(paths, settings, overlay, cache=cache).findings:
            document = by_path.get(finding.location.file)
            if document is not None:
                diagnostics, offers = found[document.uri]
                diagnostics.append(_diagnostic(finding, document, lines, encoding))
                offer = finding.fix and make_offer(
                    finding.fix, diagnostics[-1], document.path, document.text, encoding
                )
                offers += [offer] if offer else []
    return found


class _Lines:
    """The lines of the files that findings and their related places are in."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts
        self._lines: dict[str, list[str]] = {}

    def of(self, file: str) -> list[str]:
        if file not in self._lines:
            text = self._texts.get(file)
            if text is None:
                try:
                    text = Path(file).read_text(encoding="utf-8", errors="replace")
                except OSError:
                    text = ""
            self._lines[file] = lines_of(text)
        return self._lines[file]


def _diagnostic(
    finding: Finding,
    document: Document,
    lines: _Lines,
    encoding: types.PositionEncodingKind | str | None,
) -> types.Diagnostic:
    href = pages.href(finding.code)
    is_error = finding.severity is Severity.ERROR
    return types.Diagnostic(
        range=to_range(finding.location, lines.of(document.path), encoding),
        message=f"{finding.message}\n{finding.mend}".strip(),
        severity=types.DiagnosticSeverity.Error if is_error else types.DiagnosticSeverity.Warning,
        code=finding.code,
        code_description=types.CodeDescription(href) if href else None,
        source=SOURCE,
        tags=[types.DiagnosticTag.Unnecessary] if finding.code == "OAK005" else None,
        related_information=[
            types.DiagnosticRelatedInformation(
                location=types.Location(
                    uri=_uri(related.location.file, document),
                    range=to_range(related.location, lines.of(related.location.file), encoding),
                ),
                message=related.message,
            )
            for related in finding.related
        ],
        data={"name": finding.name, "confidence": finding.confidence.value},
    )


def _uri(file: str, document: Document) -> str:
    if file == document.path:
        return document.uri
    return from_fs_path(str(Path(file).absolute())) or document.uri
