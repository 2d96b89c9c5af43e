"""What is known of the versions of documents, kept as the JSON that came from the analysis.

Invariants:
- The diagnostics of a document are sent on without being read: objects of them would take several
  times the memory of the text, and leave it in pieces when the document is closed.
"""

from oakum.values.codes import Code
from oakum.values.records import dataclass
from oakum_lsp.documents import Document
from oakum_lsp.messages import compact_json, notification
from oakum_lsp.positions import START
from oakum_lsp.protocol import ERROR, Diagnostic


@dataclass(frozen=True, slots=True)
class Outcome:
    """What is known of one version of a document: its diagnostics, and the offers of fixes."""

    document: Document
    diagnostics: str
    offers: str


def unchecked(document: Document, code: Code, reason: str) -> Outcome:
    """What is shown of a document that is not checked."""
    diagnostic: Diagnostic = {
        "range": START,
        "message": f"{reason}\n{code.hint}",
        "severity": ERROR,
        "code": code.code,
        "source": "oakum",
        "data": {"name": code.name, "confidence": "proved"},
    }
    return Outcome(document, compact_json([diagnostic]), "[]")


def publication(outcome: Outcome) -> bytes:
    """The message that shows the diagnostics of a document."""
    document = outcome.document
    about: dict[str, object] = {"uri": document.uri}
    if document.version is not None:
        about["version"] = document.version
    return _published(about, outcome.diagnostics)


def publication_of_file(uri: str, diagnostics: str) -> bytes:
    """The message that shows diagnostics of a file that is not open."""
    return _published({"uri": uri}, diagnostics)


def withdrawal(uri: str) -> bytes:
    """The message that takes the diagnostics of a document away."""
    return _published({"uri": uri}, "[]")


def _published(about: dict[str, object], diagnostics: str) -> bytes:
    message = notification("textDocument/publishDiagnostics", about)
    return b'%s,"diagnostics":%s}}' % (message.removesuffix(b"}}"), diagnostics.encode("ascii"))
