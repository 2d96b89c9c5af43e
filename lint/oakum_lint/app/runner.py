"""One run: from paths to sorted findings, for the command line and the server alike.

Invariants:
- Every file found is answered: by its findings, by none, or by a finding that says why it could
  not be checked. An exception in the analysis of one file becomes `internal-error` for that file.
- Findings are sorted by file, line and column, after suppression and selection.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from oakum_lint.app.discover import discover
from oakum_lint.app.settings import Settings
from oakum_lint.text import sieve

TYPE_CHECKING = False  # not from `typing`, which the start does without
if TYPE_CHECKING:
    from pathlib import Path

    from oakum_lint.app.analysis import FileReport
    from oakum_lint.syntax.cache import UnitCache
    from oakum_lint.text.finding import Finding


FAILURES = ("OAK002", "OAK003", "OAK004")
"""Codes of files that were not checked, or not all of them."""


class MissingPathError(Exception):
    """A path on the command line does not exist."""


class CheckResult:
    """The findings and the statistics of a run.

    A plain class: `dataclasses` is not imported for a run that finds nothing to analyse.
    """

    __slots__ = (
        "checked",
        "failures",
        "files",
        "findings",
        "fixed",
        "incomplete",
        "notebooks",
        "statistics",
        "texts",
        "unsafe_fixes",
    )

    def __init__(self) -> None:
        self.findings: list[Finding] = []
        self.checked = 0
        """How many files were looked at."""
        self.failures = 0
        """How often something was not checked, or not written, that was asked for."""
        self.incomplete = 0
        """In how many places not all was analysed (`incomplete-analysis`), ignored ones too."""
        self.statistics: Counter[str] = Counter()
        """How many findings each code has."""
        self.texts: dict[str, str] = {}
        """The texts of the files that have findings, for code frames."""
        self.files: Sequence[str] = ()
        """The files that were analysed together."""
        self.notebooks = 0
        """How many notebooks lie in the directories, which are not checked."""
        self.unsafe_fixes = False
        """Whether unsafe fixes count as fixes."""
        self.fixed: int | None = None
        """How many findings the run has fixed, if it fixes."""

    def fails(self, settings: Settings) -> bool:
        """Whether there is a finding that a run must not pass with: a proved one, or any if the
        likely ones were asked for.
        """
        return bool(self.findings) and (
            settings.min_confidence == "likely" or len(self.findings) > self.likely
        )

    @property
    def likely(self) -> int:
        """How many findings are likely, not proved."""
        return sum(finding.confidence == "likely" for finding in self.findings)


def check_paths(
    paths: Sequence[str], settings: Settings, overlay: "Mapping[Path, str] | None" = None
) -> CheckResult:
    """Checks files and the Python files below directories. `overlay` replaces texts on disk."""
    found = discover(paths, settings)
    if found.missing:
        raise MissingPathError(f"no such file or directory: {', '.join(found.missing)}")
    result = check_files(found.files, settings, overlay, found.unreadable)
    result.notebooks = found.notebooks
    return result


def check_files(
    files: Sequence[str],
    settings: Settings,
    overlay: "Mapping[Path, str] | None" = None,
    unreadable: Iterable[tuple[str, str]] = (),
    cache: "UnitCache | None" = None,
) -> CheckResult:
    """Checks these very files, in one analysis: each sees what it imports from the rest.

    `cache` keeps what was parsed for the next run over nearly the same texts.
    """
    result = CheckResult()
    result.checked = len(files)
    result.files = files
    for directory, reason in unreadable:
        result.findings += unreadable_file(
            directory, f"the directory cannot be read: {reason}"
        ).findings
        result.failures += 1
    if files and (overlay or not sieve.all_pass(files)):
        enabled = _Enabled(settings)
        for report in _reports(files, settings, overlay, cache, result):
            _take(report, enabled, result)
    if result.findings:
        _keep_confident(result, settings)
        result.findings.sort(key=_place)
        result.statistics.update(finding.code for finding in result.findings)
    return result


def unreadable_file(file: str, reason: str) -> CheckResult:
    """The result for a text that is no Python source and was not read from a file."""
    from oakum_lint.text.failures import start_of, tool_finding

    result = CheckResult()
    result.checked = 1
    result.findings.append(tool_finding(start_of(file), "OAK002", reason))
    result.statistics["OAK002"] = 1
    result.failures = 1
    return result


def _place(finding: "Finding") -> tuple[object, ...]:
    return (finding.location, finding.code, finding.message)


class _Enabled:
    """The codes that are on, for each file; worked out when first asked for."""

    __slots__ = ("_everywhere", "_settings")

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._everywhere: frozenset[str] | None = None

    def codes(self, file: str) -> frozenset[str]:
        from oakum_lint.app import selectors

        settings = self._settings
        ignored_here = settings.ignores_for(file)
        if ignored_here:
            return selectors.enabled(settings.select, (*settings.ignore, *ignored_here))
        if self._everywhere is None:
            self._everywhere = selectors.enabled(settings.select, settings.ignore)
        return self._everywhere


def _take(report: "FileReport", enabled: _Enabled, result: CheckResult) -> None:
    """Adds the findings of one file, without those that are suppressed or not asked for."""
    findings: Sequence[Finding] = report.findings
    result.incomplete += sum(finding.code == "OAK003" for finding in findings)
    file = str(report.path)
    text = report.source.text if report.source is not None else None
    if text is not None and _may_suppress(text):
        from oakum_lint.app import suppress

        findings = suppress.apply(text, file, findings, enabled.codes(file))
    if not findings:
        return
    codes = enabled.codes(file)
    kept = [finding for finding in findings if finding.code in codes]
    result.findings += kept
    result.failures += sum(finding.code in FAILURES for finding in kept)
    if kept and text is not None:
        result.texts[file] = text


def _may_suppress(text: str) -> bool:
    lowered = text.lower()
    return "noqa" in lowered or "oakum" in lowered


def _reports(
    files: Sequence[str],
    settings: Settings,
    overlay: "Mapping[Path, str] | None",
    cache: "UnitCache | None",
    result: CheckResult,
) -> "Iterator[FileReport]":
    """The reports of all files; a failure of the analysis costs only the file that causes it."""
    from pathlib import Path

    from oakum_lint.app import analysis
    from oakum_lint.domain.assumptions import Assumptions
    from oakum_lint.models.habits import CALL_COUNTERS, DRAW_FLAGS, STILL_FLAGS, TRACE_COUNTERS

    assumptions = Assumptions(
        settings.assume_traced == "annotated",
        settings.entry_points,
        TRACE_COUNTERS if settings.trace_counters is None else settings.trace_counters,
        CALL_COUNTERS if settings.call_counters is None else settings.call_counters,
        DRAW_FLAGS if settings.draw_flags is None else settings.draw_flags,
        STILL_FLAGS if settings.still_flags is None else settings.still_flags,
    )
    seconds = settings.max_seconds_per_root
    paths = [Path(file) for file in files]
    done = 0
    try:
        for report in analysis.analyse(
            paths, overlay=overlay, cache=cache, assumptions=assumptions, seconds=seconds
        ):
            yield report
            done += 1
        return
    except Exception as error:  # whatever it is, the other files are answered
        first_error = error
    remaining = paths[done:]
    if len(remaining) == 1:
        _fail(result, remaining[0], first_error)
        return
    # Which file it was is not known. Each by itself still finds all that it holds, without what
    # it imports from the rest.
    for path in remaining:
        try:
            yield from analysis.analyse(
                [path], overlay=overlay, assumptions=assumptions, seconds=seconds
            )
        except Exception as error:
            _fail(result, path, error)


def _fail(result: CheckResult, path: "Path", error: Exception) -> None:
    from oakum_lint.text.failures import in_words, start_of, tool_finding

    message = in_words("this file", error)
    result.findings.append(tool_finding(start_of(str(path)), "OAK004", message))
    result.failures += 1


def _keep_confident(result: CheckResult, settings: Settings) -> None:
    if settings.min_confidence == "proved":
        result.findings = [f for f in result.findings if f.confidence == "proved"]
