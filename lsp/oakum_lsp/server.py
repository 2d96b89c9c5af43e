"""The server: takes the editor's messages from standard input and routes each to its feature.

It holds the open documents and answers; what is found is worked out by another process.

Invariants:
- Each request is answered exactly once, in the order of arrival but where an analysis is awaited.
- Only messages of the protocol go to standard output; what is wrong goes to standard error, in one
  line each.
- Nothing that the editor sends ends the server, but `exit`, the end of the stream, and what is no
  frame of a message: then nobody knows where the next one begins.
"""

import os
import queue
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from oakum.version import __version__
from oakum_lsp.analysis_process import AnalysisProcess
from oakum_lsp.capabilities import Capabilities, offered_to, read_capabilities
from oakum_lsp.channels import Pulls, Pushes
from oakum_lsp.checks import Checks
from oakum_lsp.client_settings import ClientSettings
from oakum_lsp.display import Display
from oakum_lsp.documents import Document, changed, open_document, path_of
from oakum_lsp.framing import Body, Broken, End, Event, Reader, Refused, write
from oakum_lsp.messages import (
    ErrorCode,
    Id,
    Invalid,
    Notification,
    Request,
    Response,
    ResponseError,
    answer,
    answer_with,
    client_request,
    error_answer,
    notification,
    parse,
)
from oakum_lsp.notebooks import Notebooks
from oakum_lsp.parameters import Reader as Params
from oakum_lsp.parameters import document_uri
from oakum_lsp.progress import Progress
from oakum_lsp.project_checks import ProjectChecks
from oakum_lsp.protocol import CHANGED, ERROR
from oakum_lsp.requests.annotations import Annotations
from oakum_lsp.requests.code_actions import CodeActions
from oakum_lsp.requests.commands import Commands
from oakum_lsp.requests.questions import Questions
from oakum_lsp.system import is_running, note
from oakum_lsp.workspace import WATCHING, Workspace
from oakum_lsp.workspace_checks import WorkspaceChecks

if TYPE_CHECKING:
    from oakum_lsp.analysis_worker import Report

TYPING_PAUSE: Final = 0.08
"""Seconds without a change after which a document is checked while it is being edited."""

_STALL: Final = 5.0
"""Seconds after which a message that is not complete is abandoned: its length must be wrong."""

_TICK: Final = 1.0
"""Seconds between two looks for what no event announces: a stalled message, an editor that is gone.
"""

_Report = tuple[AnalysisProcess, "Report | None"]


class Server:
    """One conversation with an editor."""

    def __init__(self, output: int, seconds: float) -> None:
        self._output = output
        self._events: queue.SimpleQueue[Event | _Report] = queue.SimpleQueue()
        self._documents: dict[str, Document] = {}
        self._workspace = Workspace()
        self._pulls = Pulls(self._documents, self._send)
        self._display = Display(self._documents, Pushes(self._send))

        def report(process: AnalysisProcess, message: "Report | None") -> None:
            self._events.put((process, message))

        self._checks = Checks(
            self._documents, report, self._display.show, self._complain, self._log, seconds
        )
        self._questions = Questions(self._checks, self._send)
        self._actions = CodeActions(self._documents, self._display, self._questions, self._send)
        self._settings = ClientSettings(self._send)
        self._annotations = Annotations(
            self._documents, self._questions, self._settings, self._send
        )
        self._commands = Commands(self._send)
        self._notebooks = Notebooks(self._documents, self._put_cell, self._close_document)
        self._project_checks = ProjectChecks(
            self._documents,
            self._workspace,
            self._checks,
            self._display,
            report,
            self._log,
            seconds,
        )
        self._progress = Progress("checking the workspace", self._send)
        self._workspace_checks = WorkspaceChecks(
            self._documents,
            self._workspace,
            self._project_checks,
            self._display,
            report,
            self._progress,
            self._log,
            seconds,
        )
        self._client: Capabilities | None = None
        self._complaints: set[str] = set()
        self._is_initialized = False
        self._is_shut_down = False
        self._status: int | None = None
        self._editor: int | None = None
        """The process of the editor, if it has said."""
        self._requests: dict[str, Callable[[Request], object]] = {
            "codeAction/resolve": _answered_by(self._actions.resolve),
            "initialize": self._initialize,
            "shutdown": self._shut_down,
            "textDocument/codeAction": _answered_by(self._actions.take),
            "textDocument/codeLens": _answered_by(self._annotations.code_lenses),
            "textDocument/diagnostic": self._pull,
            "textDocument/hover": _answered_by(self._annotations.hover),
            "textDocument/inlayHint": _answered_by(self._annotations.inlay_hints),
            "textDocument/semanticTokens/full": _answered_by(self._annotations.tokens),
            "workspace/diagnostic": self._pull_workspace,
            "workspace/executeCommand": self._commands.execute,
        }
        self._notifications: dict[str, Callable[[object], None]] = {
            "$/cancelRequest": self._cancel,
            "initialized": self._begin,
            "notebookDocument/didChange": self._change_notebook,
            "notebookDocument/didClose": self._notebooks.close,
            "notebookDocument/didOpen": self._open_notebook,
            "notebookDocument/didSave": self._save_notebook,
            "textDocument/didOpen": self._open,
            "textDocument/didChange": self._change,
            "textDocument/didSave": self._save,
            "textDocument/didClose": self._close,
            "workspace/didChangeConfiguration": self._change_configuration,
            "workspace/didChangeWatchedFiles": self._change_files,
            "workspace/didCreateFiles": self._move_files,
            "workspace/didDeleteFiles": self._move_files,
            "workspace/didRenameFiles": self._move_files,
            "workspace/didChangeWorkspaceFolders": self._change_folders,
        }

    def run(self, descriptor: int) -> int:
        """Serves until the editor ends it; the status is 0 if it asked for a shutdown first."""
        reader = Reader(descriptor)

        def read() -> None:
            for event in reader.events():
                self._events.put(event)

        threading.Thread(target=read, daemon=True).start()
        try:
            while self._status is None:
                self._step(reader)
        except OSError:  # nobody reads what we write
            return 1
        finally:
            self._stop_checks()
        return self._status

    def _step(self, reader: Reader) -> None:
        several = (self._checks, self._project_checks, self._workspace_checks)
        waits = (_TICK, *(each.wait() for each in several))
        try:
            event = self._events.get(timeout=min(wait for wait in waits if wait is not None))
        except queue.Empty:
            self._look_around(reader)
        else:
            self._take(event)
        for each in several:
            each.advance()
        if self._checks.is_at_rest:
            self._annotations.refresh()

    def _take(self, event: Event | _Report) -> None:
        match event:
            case Body(data):
                self._receive(data)
            case Refused(reason):
                self._answer_nobody(ErrorCode.INVALID_REQUEST, reason)
            case Broken(reason):
                self._answer_nobody(ErrorCode.PARSE_ERROR, reason)
                self._status = 1
            case End():
                self._status = 1
            case (process, message):
                self._checks.receive(process, message)
                self._project_checks.receive(process, message)
                self._workspace_checks.receive(process, message)

    def _answer_nobody(self, code: ErrorCode, reason: str) -> None:
        note(reason)
        write(self._output, error_answer(None, ResponseError(code, reason)))

    def _look_around(self, reader: Reader) -> None:
        since = reader.waits_since()
        if since is not None and time.monotonic() - since > _STALL:
            self._take(Broken("a message is shorter than its Content-Length"))
        elif self._editor is not None and not is_running(self._editor):
            self._status = 1

    # --- messages -----------------------------------------------------------------------------

    def _receive(self, data: bytes) -> None:
        message = parse(data)
        match message:
            case Request():
                self._answer(message)
            case Notification():
                self._notice(message)
            case Response(Pulls.REFRESH):
                self._pulls.note_answer()
            case Response(ClientSettings.REQUEST, result):
                self._settings.take_answer(result)
            case Response():
                pass  # an editor that does not watch files goes on without it
            case Invalid(known, error):
                note(error.message)
                write(self._output, error_answer(known, error))

    def _answer(self, request: Request) -> None:
        try:
            self._check_order(request.method)
            handler = self._requests.get(request.method)
            if handler is None:
                raise ResponseError(
                    ErrorCode.METHOD_NOT_FOUND, f"there is no method {request.method!r}"
                )
            result = handler(request)
        except ResponseError as error:
            body = error_answer(request.id, error)
        except Exception as error:  # a fault of ours costs this answer, not the server
            fault = f"{type(error).__name__}: {error}"
            note(f"{request.method} failed: {fault}")
            body = error_answer(request.id, ResponseError(ErrorCode.INTERNAL_ERROR, fault))
        else:
            if result is _LATER:
                return
            body = answer(request.id, result)
        write(self._output, body)

    def _check_order(self, method: str) -> None:
        if self._is_shut_down:
            raise ResponseError(ErrorCode.INVALID_REQUEST, "the server is shut down")
        if method == "initialize":
            if self._is_initialized:
                raise ResponseError(ErrorCode.INVALID_REQUEST, "the server is initialized already")
        elif not self._is_initialized:
            raise ResponseError(ErrorCode.SERVER_NOT_INITIALIZED, "initialize comes first")

    def _notice(self, message: Notification) -> None:
        if message.method == "exit":
            self._status = 0 if self._is_shut_down else 1
            return
        handler = self._notifications.get(message.method)
        if handler is None or not self._is_initialized or self._is_shut_down:
            return
        try:
            handler(message.params)
        except ResponseError as error:
            note(f"{message.method} is ignored: {error.message}")
        except OSError:
            raise
        except Exception as error:  # a fault of ours costs this message, not the server
            note(f"{message.method} failed: {type(error).__name__}: {error}")

    def _initialize(self, request: Request) -> object:
        params = Params(request.params)
        client = read_capabilities(params)
        if params.has("processId"):
            self._editor = params.member("processId").integer()
        self._workspace.initialize(params)
        self._client = client
        self._checks.encoding = self._workspace_checks.encoding = client.encoding
        self._notebooks.encoding = client.encoding
        self._progress.is_shown = client.shows_progress
        self._settings.initialize(params, client)
        self._commands.can_show = client.shows_documents
        self._actions.resolves_edits = client.resolves_edits
        if client.pulls:
            self._display.channel = self._pulls
        self._is_initialized = True
        self._checks.start()
        return {
            "capabilities": offered_to(client),
            "serverInfo": {"name": "oakum", "version": __version__},
        }

    def _shut_down(self, _: Request) -> object:
        self._is_shut_down = True
        self._cancel_requests(None, "the server shuts down")
        self._stop_checks()
        return None

    def _stop_checks(self) -> None:
        self._checks.stop()
        self._project_checks.stop()
        self._workspace_checks.stop()

    def _send(self, message: bytes) -> None:
        write(self._output, message)

    # --- files --------------------------------------------------------------------------------

    def _begin(self, _: object) -> None:
        """Asks the editor to say which files change, and has the workspace checked."""
        self._workspace_checks.request()
        if self._client is not None and self._client.can_watch:
            registrations = {"registrations": [WATCHING]}
            method = "client/registerCapability"
            self._send(client_request("oakum-watch", method, registrations))
        self._settings.ask()

    def _change_files(self, params: object) -> None:
        opened = {os.path.realpath(document.path) for document in self._documents.values()}
        for change in Params(params).member("changes").items():
            path = path_of(change.member("uri").text())
            if change.member("type").integer() == CHANGED and os.path.realpath(path) in opened:
                continue  # its text in the editor counts
            self._note_file(path)

    def _move_files(self, params: object) -> None:
        """Notes files that the editor itself has created, renamed or deleted."""
        for file in Params(params).member("files").items():
            for name in ("uri", "oldUri", "newUri"):
                if file.has(name):
                    self._note_file(path_of(file.member(name).text()))

    def _note_file(self, path: str) -> None:
        self._display.forget_file(path)
        self._note_disk()

    def _change_configuration(self, params: object) -> None:
        """Takes what is set in the editor, and checks all again: configurations may be others."""
        self._settings.change(params)
        self._note_disk()

    def _change_folders(self, params: object) -> None:
        self._workspace.change(Params(params).member("event"))
        self._note_disk()

    def _note_disk(self) -> None:
        self._annotations.note_change()
        self._checks.request_all(TYPING_PAUSE)
        self._project_checks.note_disk()
        self._workspace_checks.note_disk()

    # --- documents ----------------------------------------------------------------------------

    def _open(self, params: object) -> None:
        document = Params(params).member("textDocument")
        uri, text = document.member("uri").text(), document.member("text").text()
        opened = open_document(uri, text, document.member("version").integer())
        self._display.open(opened)
        self._put(opened, 0.0)
        self._request()

    def _change(self, params: object) -> None:
        uri = document_uri(params)
        version = Params(params).member("textDocument").member("version").integer()
        if uri not in self._documents:
            raise ResponseError(ErrorCode.INVALID_PARAMS, f"{uri} is not open")
        changes = Params(params).member("contentChanges").items()
        text = changed(self._documents[uri].text, changes, self._checks.encoding)
        self._put(open_document(uri, text, version), TYPING_PAUSE)
        self._project_checks.request_after_edit()
        self._workspace_checks.request_after_edit()

    def _request(self) -> None:
        self._project_checks.request()
        self._workspace_checks.request()

    def _put(self, document: Document, delay: float) -> None:
        self._documents[document.uri] = document
        if len(self._documents) > 1:
            self._annotations.note_change()
        self._checks.request(document.uri, delay)

    def _save(self, params: object) -> None:
        uri = document_uri(params)
        if uri in self._documents:
            self._checks.request(uri, 0.0)
            self._request()

    def _close(self, params: object) -> None:
        self._close_document(document_uri(params))

    def _close_document(self, uri: str) -> None:
        if self._documents.pop(uri, None) is not None:
            self._checks.forget(uri)
            self._display.close(uri)
            self._request()

    # --- notebooks ----------------------------------------------------------------------------

    def _open_notebook(self, params: object) -> None:
        self._notebooks.open(params)
        self._request()

    def _change_notebook(self, params: object) -> None:
        self._notebooks.change(params)
        self._project_checks.request_after_edit()
        self._workspace_checks.request_after_edit()

    def _save_notebook(self, params: object) -> None:
        for cell in self._notebooks.cells(params):
            self._save({"textDocument": {"uri": cell}})

    def _put_cell(self, document: Document) -> None:
        if document.uri not in self._documents:
            self._display.open(document)
        self._put(document, TYPING_PAUSE)

    # --- pulled diagnostics -------------------------------------------------------------------

    def _pull(self, request: Request) -> object:
        params = Params(request.params)
        has_previous = params.has("previousResultId")
        previous = params.member("previousResultId").text() if has_previous else ""
        self._pulls.pull(request.id, document_uri(request.params), previous, self._display)
        return _LATER

    def _pull_workspace(self, request: Request) -> object:
        ids = Params(request.params).member("previousResultIds").items()
        previous = {each.member("uri").text(): each.member("value").text() for each in ids}
        result = self._pulls.pull_workspace(previous, self._display)
        self._send(answer_with(request.id, result))
        return _LATER

    # --- requests that wait -------------------------------------------------------------------

    def _cancel(self, params: object) -> None:
        stated = Params(params).member("id").value
        if isinstance(stated, int | float | str):
            self._cancel_requests(stated, "the request was cancelled")

    def _cancel_requests(self, request: Id | None, reason: str) -> None:
        self._questions.cancel(request, reason)
        self._pulls.cancel(request, reason)

    # --- what the editor is shown -------------------------------------------------------------

    def _complain(self, message: str) -> None:
        """Shows a mistake in the configuration, once."""
        if message not in self._complaints:
            self._complaints.add(message)
            shown = {"type": ERROR, "message": f"oakum: {message}"}
            write(self._output, notification("window/showMessage", shown))

    def _log(self, message: str) -> None:
        note(message)
        logged = {"type": ERROR, "message": message}
        write(self._output, notification("window/logMessage", logged))


_LATER: Final = object()
"""The result of a request that its handler answers itself, now or when an analysis is done."""


def _answered_by(take: Callable[[Request], None]) -> Callable[[Request], object]:
    """The handler of requests that something answers itself."""

    def handler(request: Request) -> object:
        take(request)
        return _LATER

    return handler


def serve(seconds: float) -> int:
    """Serves an editor over standard input and output; `seconds` of CPU time is what a
    check may take.
    """
    # What a library prints must not come between the messages.
    output = os.dup(1)
    os.dup2(2, 1)
    return Server(output, seconds).run(0)
