"""Diagnostics: the findings of documents, as an editor shows them.

Invariants:
- The text of an open document counts, not what is on disk, also where another document imports it.
- The documents of one project are analysed together, because a change in one can make a finding in
  another: the body of a helper is at fault only if a caller traces it.
- A finding in a file that is not open says so, and has no fix.
- A notebook that is not open is read for what it traces, and nothing is shown in it: an editor has
  cells in its place, and these are open documents.
"""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from oakum_lint.app.check_result import CheckResult
from oakum_lint.app.config import load
from oakum_lint.app.live.last_programs import LastPrograms
from oakum_lint.app.live.live_parts import LiveParts
from oakum_lint.app.places.cells import name_cells
from oakum_lint.app.places.edited import in_edited
from oakum_lint.app.project_context import project_context
from oakum_lint.app.report.frame import lines_of
from oakum_lint.app.runner import check_files, check_project
from oakum_lint.app.settings import Settings
from oakum_lint.syntax.cache import UnitCache
from oakum_lint.text.finding import Finding, Location, Severity
from oakum_lint.text.notebook.names import file_and_cell, is_notebook
from oakum_lsp.documents import uri_of
from oakum_lsp.features import pages
from oakum_lsp.features.actions import Offer, make_offer, make_suppressions
from oakum_lsp.features.opened import Opened, Text, cell_names, opened
from oakum_lsp.positions import to_range
from oakum_lsp.protocol import (
    ERROR,
    INFORMATION,
    UNNECESSARY,
    WARNING,
    Diagnostic,
    RelatedInformation,
)

SOURCE = "oakum"

_LEVELS = {
    Severity.ERROR: ERROR,
    Severity.WARNING: WARNING,
    Severity.INFORMATION: INFORMATION,
}
"""How editors show a finding, by its severity."""

Checked = tuple[str, list[Diagnostic], list[Offer]]
"""A URI, what was found in its text, and the fixes and suppressions of that."""


def check_documents(
    texts: Mapping[str, Text],
    uris: Sequence[str],
    encoding: str,
    programs: LastPrograms,
    live: LiveParts,
) -> Iterator[Checked]:
    """What is found in the documents with these URIs; `texts` are those of all open ones,
    `programs` what they were last, `live` the analyses of the last check.
    """
    documents = opened(texts)
    for group in _groups(documents, uris):
        around = _Surroundings(texts, documents, group, encoding, programs)
        found = around.places(uris)
        for settings, paths in _configured(group):
            result = check_files(paths, settings, around.overlay, cache=live.cache, index=live)
            for finding in around.named(result):
                if finding.location.file in found:
                    found[finding.location.file].append(finding)
        yield from around.show(found)
    live.finish()


def check_with_project(
    texts: Mapping[str, Text],
    uris: Sequence[str],
    roots: Mapping[str, str],
    encoding: str,
    programs: LastPrograms,
    cache: UnitCache,
) -> Iterator[Checked]:
    """What is found in each of the documents with these URIs with the project around it, whose root
    `roots` has, and what they cause in files that are not open; `programs` are what all open ones
    were last.
    """
    elsewhere: dict[str, dict[tuple[Location, str], Finding]] = {}
    documents = opened(texts)
    roots = {documents.homes[uri]: root for uri, root in roots.items()}
    for group in _groups(documents, uris):
        around = _Surroundings(texts, documents, group, encoding, programs)
        found = around.places(uris)
        for settings, root, paths in _in_projects(group, roots):
            context = project_context(paths, settings, root, keeps=True)
            result = check_files(paths, settings, around.overlay, cache=cache, context=context)
            for finding in around.named(result):
                file = finding.location.file
                if file in found:
                    found[file].append(finding)
                elif file not in around.uris and not is_notebook(file_and_cell(file)[0]):
                    # In an open document it is found without a note.
                    known = elsewhere.setdefault(file, {})
                    known.setdefault((finding.location, finding.code), finding)
        yield from around.show(found)
    around = _Surroundings(texts, documents, {}, encoding, programs)
    for file, findings in elsewhere.items():
        yield uri_of(file), [around.diagnostic(finding) for finding in findings.values()], []


def check_workspace(
    texts: Mapping[str, Text], roots: Sequence[str], encoding: str
) -> Iterator[Checked]:
    """What is found in the files below some folders, as `oakum check` finds it in each."""
    found: dict[str, dict[tuple[Location, str], Finding]] = {}
    around = _Surroundings(texts, opened(texts), {}, encoding, LastPrograms())
    for root in roots:
        result = check_project(root, load([root]), around.overlay)
        for finding in result.findings:
            file = os.path.abspath(finding.location.file)
            if not is_notebook(file):
                found.setdefault(file, {}).setdefault((finding.location, finding.code), finding)
    for file, findings in found.items():
        shown = [around.diagnostic(finding) for finding in findings.values()]
        yield around.uris.get(file) or uri_of(file), shown, []


class _Surroundings:
    """The open documents as seen from a group of their files, by their paths; cells by the names
    that findings have for them.
    """

    def __init__(
        self,
        texts: Mapping[str, Text],
        documents: Opened,
        group: Mapping[str, str],
        encoding: str,
        programs: LastPrograms,
    ) -> None:
        self._texts = texts
        self._encoding = encoding
        self._joined = documents.joined()
        # Where two documents have one path, the one that is looked at counts.
        files = {each.path: uri for uri, each in documents.files.items()} | dict(group)
        by_path = {path: documents.files[uri].text for path, uri in files.items()}
        self._programs = programs.take({Path(path): text for path, text in by_path.items()})
        self.overlay = {path: each.text for path, each in self._programs.items()}
        self.uris = {path: uri for path, uri in files.items() if uri in texts}
        self._group = {path: uri for path, uri in group.items() if uri in texts}
        for uri, notebook in documents.notebooks.items():
            names = cell_names(notebook)
            self.uris |= names
            if uri in group.values():
                self._group |= names
        shown = {name: texts[uri].text for name, uri in self.uris.items()}
        self._lines = _Lines({**by_path, **shown})

    def places(self, uris: Sequence[str]) -> dict[str, list[Finding]]:
        """The documents of the group that are asked for by their URIs, in which nothing is found
        yet.
        """
        wanted = frozenset(uris)
        return {name: [] for name, uri in self._group.items() if uri in wanted}

    def named(self, result: CheckResult) -> Sequence[Finding]:
        """What a check has found, where the documents have it now, with cells by their names."""
        result.findings = in_edited(result.findings, self._programs, result.files)
        name_cells(result, self._joined)
        return result.findings

    def diagnostic(self, finding: Finding) -> Diagnostic:
        return _diagnostic(finding, self.uris, self._lines, self._encoding)

    def show(self, found: Mapping[str, Sequence[Finding]]) -> Iterator[Checked]:
        """What was found in open documents, by their paths."""
        for path, findings in found.items():
            uri = self.uris[path]
            shown = [self.diagnostic(finding) for finding in findings]
            yield uri, shown, _offers(findings, self._texts[uri], self._encoding)


def _groups(documents: Opened, uris: Sequence[str]) -> list[dict[str, str]]:
    """The URIs of the files of documents by path, in groups that have no file twice: two URIs can
    name one file, and cells that are open by themselves have the path of their notebook.
    """
    groups: list[dict[str, str]] = []
    taken: list[set[str]] = []
    for uri in dict.fromkeys(documents.homes[uri] for uri in uris):
        path = documents.files[uri].path
        real = os.path.realpath(path)
        place = next((i for i, files in enumerate(taken) if real not in files), len(groups))
        if place == len(groups):
            groups.append({})
            taken.append(set())
        groups[place][path] = uri
        taken[place].add(real)
    return groups


def _configured(paths: Iterable[str]) -> Iterator[tuple[Settings, list[str]]]:
    """The paths by their configurations, without those that these exclude."""
    configured: dict[str, tuple[Settings, list[str]]] = {}
    for path in paths:
        settings = load([path])
        if not settings.excludes(path):
            configured.setdefault(settings.root, (settings, []))[1].append(path)
    yield from configured.values()


def _in_projects(
    group: Mapping[str, str], roots: Mapping[str, str]
) -> Iterator[tuple[Settings, str, list[str]]]:
    """The paths of documents by their configurations and the roots of their projects."""
    projects: dict[str, list[str]] = {}
    for path, uri in group.items():
        projects.setdefault(roots[uri], []).append(path)
    for root, paths in projects.items():
        for settings, configured in _configured(paths):
            yield settings, root, configured


def _offers(findings: Sequence[Finding], document: Text, encoding: str) -> list[Offer]:
    offers: list[Offer] = []
    for place, finding in enumerate(findings):
        if finding.fix is not None and finding.fix.edits:
            offer = make_offer(finding.fix, place, document.path, document.text, encoding)
            offers += [offer] if offer else []
    suppressions = make_suppressions(findings, document.path, document.text, encoding)
    return [*offers, *suppressions]


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
        if each.location.file in open_here or not is_notebook(each.location.file)
    ]
    made: Diagnostic = {
        "range": to_range(place, lines.of(place.file), encoding),
        "message": "\n".join(filter(None, (finding.message, *finding.notes, finding.hint))),
        "severity": _LEVELS[finding.severity],
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
