"""Diagnostics: publishes the findings of open documents, as they are in the editor.

Invariants:
- The text of an open document counts, not what is on disk, also where another document imports it.
- One analysis runs at a time, on a thread of its own; what it finds is published only if the
  document has not changed since.
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
from oakum_lint.finding import Finding, Severity
from oakum_lint.report.frame import lines_of
from oakum_lint.runner import check_files
from oakum_lsp.features import pages
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
    """Checks documents some time after they change, and publishes what is found."""

    def __init__(self, server: LanguageServer) -> None:
        self._server = server
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="oakum")
        self._pending: dict[str, asyncio.Task[None]] = {}
        self._complaints: set[str] = set()

    def request(self, uri: str, delay: float) -> None:
        """Checks a document after `delay` seconds, unless another request for it comes first."""
        self._cancel(uri)
        self._pending[uri] = asyncio.get_running_loop().create_task(self._check(uri, delay))

    def request_all(self, delay: float) -> None:
        """Checks all open documents: one that was saved may be imported by the others."""
        for uri in list(self._server.workspace.text_documents):
            self.request(uri, delay)

    def close(self, uri: str) -> None:
        """Forgets a document and clears its findings."""
        self._cancel(uri)
        self._publish(uri, None, [])

    def _cancel(self, uri: str) -> None:
        task = self._pending.pop(uri, None)
        if task is not None:
            task.cancel()

    async def _check(self, uri: str, delay: float) -> None:
        await asyncio.sleep(delay)
        documents = {
            open_uri: Document(open_uri, document.source, document.version)
            for open_uri, document in self._server.workspace.text_documents.items()
        }
        document = documents.get(uri)
        if document is None:
            return
        encoding = self._server.workspace.position_encoding
        loop = asyncio.get_running_loop()
        try:
            # A request that was cancelled while it waited for the worker never reaches it.
            diagnostics = await loop.run_in_executor(
                self._worker, _check_document, document, list(documents.values()), encoding
            )
        except ConfigurationError as error:
            self._complain(str(error))
            return
        except Exception:  # the server outlives any fault of a check
            self._log(f"oakum failed on {uri}:\n{traceback.format_exc()}")
            return
        self._publish(uri, document.version, diagnostics)

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


def _check_document(
    document: Document,
    documents: Sequence[Document],
    encoding: types.PositionEncodingKind | str | None,
) -> list[types.Diagnostic]:
    settings = load([document.path])
    if settings.excludes(document.path):
        return []
    overlay = {Path(other.path): other.text for other in documents}
    result = check_files([document.path], settings, overlay)
    lines = _Lines({other.path: other.text for other in documents})
    return [
        _diagnostic(finding, document, lines, encoding)
        for finding in result.findings
        if finding.location.file == document.path
    ]


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
