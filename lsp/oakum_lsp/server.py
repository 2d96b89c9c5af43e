"""The server: routes the editor's messages to features. It decides nothing itself."""

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from oakum.version import __version__
from oakum_lsp.features.actions import FIX_ALL
from oakum_lsp.features.diagnostics import Diagnostics

TYPING_PAUSE = 0.08
"""Seconds without a change after which a document is checked while it is being edited."""


def make_server() -> LanguageServer:
    """A server with all features, not yet started."""
    # Whole texts, not changes: pygls applies a change to lines as `str.splitlines` sees them, which
    # also ends a line at a form feed; the protocol and Python do not.
    server = LanguageServer(
        "oakum", __version__, text_document_sync_kind=types.TextDocumentSyncKind.Full
    )
    diagnostics = Diagnostics(server)

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def did_open(params: types.DidOpenTextDocumentParams) -> None:
        diagnostics.request(params.text_document.uri, 0.0)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def did_change(params: types.DidChangeTextDocumentParams) -> None:
        diagnostics.request(params.text_document.uri, TYPING_PAUSE)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def did_save(params: types.DidSaveTextDocumentParams) -> None:
        diagnostics.request(params.text_document.uri, 0.0)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(params: types.DidCloseTextDocumentParams) -> None:
        diagnostics.close(params.text_document.uri)

    kinds = [types.CodeActionKind.QuickFix, FIX_ALL]

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(kinds))
    async def code_action(params: types.CodeActionParams) -> list[types.CodeAction]:
        return await diagnostics.actions(params)

    return server


def serve() -> int:
    """Serves an editor over standard input and output until it says goodbye.

    The status is 0 if it asked for a shutdown first, as the protocol has it, else 1.
    """
    server = make_server()
    asked: list[None] = []

    @server.feature(types.SHUTDOWN)
    def shut_down(_: None) -> None:
        asked.append(None)

    server.start_io()
    return 0 if asked else 1
