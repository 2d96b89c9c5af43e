"""What the editor can do, as `initialize` says it, and what the server offers it.

Invariant: an editor that can pull diagnostics, and be asked to pull them again, is never sent any:
it would show them twice.
"""

from typing import Final

from oakum.values.records import dataclass
from oakum_lsp.parameters import Reader
from oakum_lsp.protocol import (
    ENCODINGS,
    FIX_ALL,
    INCREMENTAL_SYNC,
    QUICK_FIX,
    SHOW,
    TOKEN_MODIFIERS,
    TOKEN_TYPES,
)

REFRESHED: Final = ("inlayHint", "codeLens", "semanticTokens")
"""What the editor can be asked to ask for again, by the names of its capabilities."""

_FILES: Final = {"filters": [{"scheme": "file", "pattern": {"glob": "**/*.py"}}]}
"""What the editor says that it has created, renamed or deleted."""


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What an editor can do."""

    encoding: str
    can_watch: bool
    """Whether it says which files change, once it is asked to."""
    pulls: bool
    """Whether it pulls diagnostics, and pulls them again when it is asked to."""
    shows_progress: bool
    shows_documents: bool
    """Whether it opens a place when it is asked to."""
    has_settings: bool
    """Whether it can be asked for settings."""
    resolves_edits: bool
    """Whether it asks for the edits of an action once that is chosen."""
    wants_tokens: bool
    """Whether it has asked for semantic tokens. Some editors take one server's tokens alone, which
    then are not those of the language's own server: so it has to be said."""
    refreshed: tuple[str, ...]
    """What it asks for again when it is asked to: names of capabilities."""


def read_capabilities(params: Reader) -> Capabilities:
    """What the parameters of `initialize` say."""
    stated = params.member("capabilities")
    encodings: list[str] = []
    general = _below(stated, "general", "positionEncodings")
    if general is not None:
        encodings = [each.text() for each in general.items()]
    return Capabilities(
        next((each for each in encodings if each in ENCODINGS), ENCODINGS[0]),
        _says(stated, "workspace", "didChangeWatchedFiles", "dynamicRegistration"),
        _below(stated, "textDocument", "diagnostic") is not None
        and _says(stated, "workspace", "diagnostics", "refreshSupport"),
        _says(stated, "window", "workDoneProgress"),
        _says(stated, "window", "showDocument", "support"),
        _says(stated, "workspace", "configuration"),
        _resolves_edits(stated),
        _says(params, "initializationOptions", "semanticTokens", "enabled"),
        tuple(name for name in REFRESHED if _says(stated, "workspace", name, "refreshSupport")),
    )


def _resolves_edits(stated: Reader) -> bool:
    resolved = _below(stated, "textDocument", "codeAction", "resolveSupport", "properties")
    keeps_data = _says(stated, "textDocument", "codeAction", "dataSupport")
    return keeps_data and resolved is not None and "edit" in [e.value for e in resolved.items()]


def _below(part: Reader, *names: str) -> Reader | None:
    """A member of a member; None where it, or one on the way to it, is absent."""
    for name in names:
        if not isinstance(part.value, dict) or not part.has(name):
            return None
        part = part.member(name)
    return part


def _says(part: Reader, *names: str) -> bool:
    found = _below(part, *names)
    return found is not None and found.value is True


def offered_to(client: Capabilities) -> dict[str, object]:
    """The capabilities of the server, for an editor."""
    offered: dict[str, object] = {
        "positionEncoding": client.encoding,
        "textDocumentSync": {"openClose": True, "change": INCREMENTAL_SYNC, "save": True},
        "notebookDocumentSync": {
            "notebookSelector": [
                {"notebook": "jupyter-notebook", "cells": [{"language": "python"}]}
            ],
            "save": True,
        },
        "codeActionProvider": {
            "codeActionKinds": [QUICK_FIX, FIX_ALL],
            "resolveProvider": client.resolves_edits,
        },
        "hoverProvider": True,
        "inlayHintProvider": True,
        "codeLensProvider": {"resolveProvider": False},
        "executeCommandProvider": {"commands": [SHOW]},
        "workspace": {
            "workspaceFolders": {"supported": True, "changeNotifications": True},
            "fileOperations": {"didCreate": _FILES, "didRename": _FILES, "didDelete": _FILES},
        },
    }
    if client.wants_tokens:
        legend = {"tokenTypes": TOKEN_TYPES, "tokenModifiers": TOKEN_MODIFIERS}
        offered["semanticTokensProvider"] = {"legend": legend, "full": True}
    if client.pulls:
        offered["diagnosticProvider"] = {
            "identifier": "oakum",
            "interFileDependencies": True,
            "workspaceDiagnostics": True,
        }
    return offered
