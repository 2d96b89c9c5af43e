"""Diagnostics: the findings of documents, as an editor shows them.

Invariants:
- The text of an open document counts, not what is on disk, also where another document imports it.
- The documents of one project are analysed together, because a change in one can make a finding in
  another: the body of a helper is at fault only if a caller traces it.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from oakum.values.records import dataclass
from oakum_lint.app.config import load
from oakum_lint.app.report.frame import lines_of
from oakum_lint.app.runner import check_files
from oakum_lint.app.settings import Settings
from oakum_lint.syntax.cache import UnitCache
from oakum_lint.text.finding import Finding, Severity
from oakum_lsp.documents import uri_of
from oakum_lsp.features import pages
from oakum_lsp.features.actions import Offer, make_offer
from oakum_lsp.positions import to_range
from oakum_lsp.protocol import (
    ERROR,
    UNNECESSARY,
    WARNING,
    Diagnostic,
    RelatedInformation,
)

SOURCE = "oakum"


@dataclass(frozen=True, slots=True)
class Text:
    """The text of an open document, and the path that it is analysed under."""

    path: str
    text: str


def check_documents(
    texts: Mapping[str, Text], uris: Sequence[str], encoding: str, cache: UnitCache
) -> Iterator[tuple[str, list[Diagnostic], list[Offer]]]:
    """What is found in each of the documents with these URIs, and the fixes of it; `texts` are
    those of all open ones.
    """
    for group in _groups(texts, uris):
        # Where two documents have one path, the one that is looked at counts.
        open_here = {document.path: uri for uri, document in texts.items()} | group
        overlay = {Path(path): texts[uri].text for path, uri in open_here.items()}
        lines = _Lines({path: texts[uri].text for path, uri in open_here.items()})
        found: dict[str, list[Finding]] = {path: [] for path in group}
        for settings, paths in _projects(list(group)):
            for finding in check_files(paths, settings, overlay, cache=cache).findings:
                if finding.location.file in found:
                    found[finding.location.file].append(finding)
        for path, uri in group.items():
            shown = [_diagnostic(finding, open_here, lines, encoding) for finding in found[path]]
            yield uri, shown, _offers(found[path], texts[uri], encoding)


def _groups(texts: Mapping[str, Text], uris: Sequence[str]) -> list[dict[str, str]]:
    """The URIs by path, in groups that have no file twice: two URIs can name one file, and all
    cells of a notebook have its path.
    """
    groups: list[dict[str, str]] = []
    taken: list[set[str]] = []
    for uri in uris:
        path = texts[uri].path
        real = os.path.realpath(path)
        place = next((i for i, files in enumerate(taken) if real not in files), len(groups))
        if place == len(groups):
            groups.append({})
            taken.append(set())
        groups[place][path] = uri
        taken[place].add(real)
    return groups


def _projects(paths: Sequence[str]) -> Iterator[tuple[Settings, list[str]]]:
    projects: dict[str, tuple[Settings, list[str]]] = {}
    for path in paths:
        settings = load([path])
        if not settings.excludes(path):
            projects.setdefault(settings.root, (settings, []))[1].append(path)
    yield from projects.values()


def _offers(findings: Sequence[Finding], document: Text, encoding: str) -> list[Offer]:
    offers: list[Offer] = []
    for place, finding in enumerate(findings):
        if finding.fix is not None:
            offer = make_offer(finding.fix, place, document.path, document.text, encoding)
            offers += [offer] if offer else []
    return offers


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
    finding: Finding, open_here: Mapping[str, str], lines: _Lines, encoding: str
) -> Diagnostic:
    place = finding.location
    files = {each.location.file for each in finding.related}
    uris = {file: open_here[file] if file in open_here else uri_of(file) for file in files}
    related: list[RelatedInformation] = [
        {
            "location": {
                "uri": uris[each.location.file],
                "range": to_range(each.location, lines.of(each.location.file), encoding),
            },
            "message": each.message,
        }
        for each in finding.related
    ]
    made: Diagnostic = {
        "range": to_range(place, lines.of(place.file), encoding),
        "message": "\n".join(filter(None, (finding.message, *finding.notes, finding.hint))),
        "severity": ERROR if finding.severity is Severity.ERROR else WARNING,
        "code": finding.code,
        "source": SOURCE,
        "relatedInformation": related,
        "data": {"name": finding.name, "confidence": finding.confidence.value},
    }
    href = pages.href(finding.code)
    if href is not None:
        made["codeDescription"] = {"href": href}
    if finding.code == "OAK005":
        made["tags"] = [UNNECESSARY]
    return made
