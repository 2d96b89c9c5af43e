"""The objects of the Language Server Protocol that the server sends, as their JSON has them."""

from typing import Final, NotRequired, TypedDict


class Position(TypedDict):
    """A place between two characters; both count from 0."""

    line: int
    character: int


class Range(TypedDict):
    """What stands between two places."""

    start: Position
    end: Position


class Location(TypedDict):
    """A range of a document."""

    uri: str
    range: Range


class RelatedInformation(TypedDict):
    """A place that explains a diagnostic."""

    location: Location
    message: str


class CodeDescription(TypedDict):
    """The page of a code."""

    href: str


class DiagnosticData(TypedDict):
    """What clients may want to know of a finding beyond the protocol."""

    name: str
    confidence: str


class Diagnostic(TypedDict):
    """A finding as an editor shows it."""

    range: Range
    message: str
    severity: int
    code: str
    source: str
    codeDescription: NotRequired[CodeDescription]
    tags: NotRequired[list[int]]
    relatedInformation: NotRequired[list[RelatedInformation]]
    data: NotRequired[DiagnosticData]


class TextEdit(TypedDict):
    """A text that replaces a range."""

    range: Range
    newText: str


class MarkupContent(TypedDict):
    """A text to show; `kind` is `markdown` or `plaintext`."""

    kind: str
    value: str


class Hover(TypedDict):
    """What is shown of the code in a range."""

    contents: MarkupContent
    range: Range


class InlayHint(TypedDict):
    """A text that is shown in the line, at a place; `kind` 1 is that of a type."""

    position: Position
    label: str
    kind: int
    tooltip: str
    paddingLeft: bool


class Command(TypedDict):
    """What the editor has the server do."""

    title: str
    command: str
    arguments: list[object]


class CodeLens(TypedDict):
    """A line of text above a range, which can be clicked."""

    range: Range
    command: Command


class WorkspaceEdit(TypedDict):
    """Edits by document."""

    changes: dict[str, list[TextEdit]]


class Marked(TypedDict):
    """A finding by what a diagnostic says of it."""

    code: str
    range: Range


class ActionData(TypedDict):
    """What the edits of an action are made of, once it is chosen: a version of a document, and the
    findings that are to be fixed in it.
    """

    uri: str
    version: int | None
    findings: list[Marked]


class CodeAction(TypedDict):
    """A change that the editor offers, or what it offers to show."""

    title: str
    kind: str
    edit: NotRequired[WorkspaceEdit]
    command: NotRequired[Command]
    diagnostics: NotRequired[list[Diagnostic]]
    isPreferred: NotRequired[bool]
    data: NotRequired[ActionData]


class FileSystemWatcher(TypedDict):
    """Which files the client says changes of."""

    globPattern: str


class WatchOptions(TypedDict):
    """What the client is asked to watch."""

    watchers: list[FileSystemWatcher]


class Registration(TypedDict):
    """A capability that the client is asked for."""

    id: str
    method: str
    registerOptions: WatchOptions


ERROR: Final = 1
WARNING: Final = 2
INFORMATION: Final = 3
"""Severities of diagnostics, and kinds of messages that are shown or logged."""

UNNECESSARY: Final = 1
"""The tag of a diagnostic for what can be left out."""

CHANGED: Final = 2
"""The kind of change of a file that was there before and is there still."""

INCREMENTAL_SYNC: Final = 2
"""The client sends what has changed of the text of a document."""

QUICK_FIX: Final = "quickfix"
SHOW: Final = "oakum.show"
"""The command that shows a place: its argument is a `Location`."""
TOKEN_TYPES: Final = ("variable",)
TOKEN_MODIFIERS: Final = ("traced",)
TYPE_HINT: Final = 1
FIX_ALL: Final = "source.fixAll.oakum"

ENCODINGS: Final = ("utf-16", "utf-8", "utf-32")
"""Units that columns can be counted in; the first one where the client does not choose."""
