"""One run: from paths to sorted findings, for the command line and the server alike.

Invariants:
- Every file found is answered: by its findings, by none, or by a finding that says why it could
  not be checked. An exception in the analysis of one file becomes `internal-error` for that file.
- Findings are sorted by file, line and column, after suppression and selection.
"""

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from oakum_lint.app.check_result import CheckResult
from oakum_lint.app.discover import discover
from oakum_lint.app.project_context import ProjectContext, project_context
from oakum_lint.app.settings import Settings
from oakum_lint.text import sieve

TYPE_CHECKING = False  # not from `typing`, which the start does without
if TYPE_CHECKING:
    from pathlib import Path
    from typing import Protocol

    from oakum_lint.app.analysis import FileReport
    from oakum_lint.app.distribution.shards import Keeper, Shard
    from oakum_lint.app.index.folder import CacheFolder
    from oakum_lint.app.progress import Progress
    from oakum_lint.syntax.cache import UnitCache
    from oakum_lint.text.finding import Finding

    class Revision(Protocol):
        """Changes what a run has found before it is kept; `known` is the folder of the project's
        index, what shards have found, or what is alive of the run.
        """

        def __call__(
            self,
            result: CheckResult,
            settings: Settings,
            overlay: Mapping[Path, str],
            known: CacheFolder | Keeper | None = None,
        ) -> None:
            """Changes the result."""


FAILURES = ("OAK002", "OAK003", "OAK004")
"""Codes of files that were not checked, or not all of them."""


class MissingPathError(Exception):
    """A path on the command line does not exist."""


def check_paths(
    paths: Sequence[str],
    settings: Settings,
    overlay: "Mapping[Path, str] | None" = None,
    project: str | None = None,
    *,
    keep: bool = False,
    is_shown: bool = False,
    index: "Keeper | None" = None,
    has_examples: bool = False,
    revise: "Revision | None" = None,
) -> CheckResult:
    """Checks files and the Python files below directories. `overlay` replaces texts on disk. With
    `has_examples`, those in docstrings are checked beside them; nothing is kept of a run that has
    some.

    What traces them elsewhere in the project is seen too; `project` names its root. With `keep`,
    the result is kept for an equal run, or is that of one. With `is_shown`, a terminal shows how
    far it is. `index` knows what shards have found, or keeps what this run does. `revise` changes
    the result before it is kept.
    """
    found = discover(paths, settings)
    if found.missing:
        raise MissingPathError(f"no such file or directory: {', '.join(found.missing)}")
    programs = _examples(found.files) if has_examples else {}
    if programs:
        overlay = {**(overlay or {}), **programs}
    keep = keep and not overlay
    context = project_context(found.files, settings, project, keeps=keep) if found.files else None
    if keep and context is not None and not found.unreadable:
        result = _kept_or_checked(found.files, settings, context, is_shown, revise)
    else:
        if index is None and revise is not None and (overlay or not sieve.all_pass(found.files)):
            index = kept_alive(settings)
        result = check_files(
            [*found.files, *map(str, programs)],
            settings,
            overlay,
            found.unreadable,
            context=context,
            index=index,
            progress=_progress(found.files) if is_shown else None,
        )
        if revise is not None:
            revise(result, settings, overlay or {}, index)
    if programs:
        from oakum_lint.app.places.docstrings import name_modules

        name_modules(result, programs)
        enabled = _Enabled(settings)
        result.findings = [f for f in result.findings if f.code in enabled.codes(f.location.file)]
        result.findings.sort(key=_place)
        result.statistics = Counter(finding.code for finding in result.findings)
    result.lacks_project = (
        context is not None and not context.has_root and not any(map(os.path.isdir, paths))
    )
    return result


def _examples(files: Sequence[str]) -> "dict[Path, str]":
    from oakum_lint.app.places.docstrings import programs_of

    return programs_of(files)


def analyse_shard(
    paths: Sequence[str], settings: Settings, project: str | None, shard: "Shard"
) -> None:
    """Analyses the parts of a run that are those of a shard, which takes what is found."""
    from pathlib import Path

    found = discover(paths, settings)
    if found.missing:
        raise MissingPathError(f"no such file or directory: {', '.join(found.missing)}")
    if not found.files:
        return
    context = project_context(found.files, settings, project)
    around = (*context.dependents, *context.imported)
    if not sieve.all_pass((*found.files, *around)):
        analyse = _analysis(settings, None, None, context, shard)
        for _ in analyse([Path(file) for file in found.files]):
            pass


def check_project(root: str, settings: Settings, overlay: "Mapping[Path, str]") -> CheckResult:
    """Checks all files below a folder, as an editor has changed them; what is found in parts of it
    is kept for later runs, or is that of earlier ones.
    """
    found = discover([root], settings)
    context = project_context(found.files, settings, root)
    if not overlay and sieve.all_pass(found.files):
        return check_files(found.files, settings, context=context)
    from oakum_lint.app.index.file_states import FileStates
    from oakum_lint.app.index.index import Index

    folder = context.open_folder()
    index = None if folder is None else Index(folder, FileStates(folder))
    result = check_files(found.files, settings, overlay, context=context, index=index)
    if index is not None:
        index.finish()
    return result


def _progress(files: Sequence[str]) -> "Progress | None":
    """The progress of a run, where a terminal shows it."""
    if not sys.stderr.isatty():
        return None
    from oakum_lint.app.progress import progress_for

    return progress_for(sys.stderr, files)


def _kept_or_checked(
    files: Sequence[str],
    settings: Settings,
    context: ProjectContext,
    is_shown: bool,
    revise: "Revision | None",
) -> CheckResult:
    """What an equal run has found, else what is found now, which is kept."""
    if sieve.all_pass((*files, *context.dependents, *context.imported)):
        return check_files(files, settings, context=context)
    from oakum_lint.app.index.file_states import FileStates
    from oakum_lint.app.run_cache import open_cache

    folder = context.open_folder()
    if folder is None:
        alive = None if revise is None else kept_alive(settings)
        result = check_files(files, settings, context=context, index=alive)
        if revise is not None:
            revise(result, settings, {}, alive)
        return result
    states = FileStates(folder)
    cache = open_cache(folder, states, context, files, settings, is_revised=revise is not None)
    result = None if cache is None else cache.load()
    if result is not None:
        states.finish()
        result.files, result.context = files, context
        return result
    from oakum_lint.app.index.index import Index

    index = Index(folder, states, tries_fixes=revise is not None)
    progress = _progress(files) if is_shown else None
    result = check_files(files, settings, context=context, index=index, progress=progress)
    index.finish()
    if revise is not None:
        revise(result, settings, {}, folder)
    if cache is not None:
        cache.store(result, index.reads)
    return result


def kept_alive(settings: Settings) -> "Keeper | None":
    """Has the analyses of a run stay alive, for those of other texts, where one process makes all
    of them.
    """
    if settings.jobs > 1:
        return None
    from oakum_lint.app.live.passes import PassParts

    return PassParts()


def check_files(
    files: Sequence[str],
    settings: Settings,
    overlay: "Mapping[Path, str] | None" = None,
    unreadable: Iterable[tuple[str, str]] = (),
    cache: "UnitCache | None" = None,
    context: ProjectContext | None = None,
    index: "Keeper | None" = None,
    progress: "Progress | None" = None,
) -> CheckResult:
    """Checks these very files, in one analysis: each sees what it imports from the rest, and what
    the files of `context` do with it.

    `cache` keeps what was parsed for the next run over nearly the same texts, `index` what this
    one finds.
    """
    result = CheckResult()
    result.checked = len(files)
    result.files = files
    result.context = context
    around = (*context.dependents, *context.imported) if context is not None else ()
    for directory, reason in unreadable:
        result.findings += unreadable_file(
            directory, f"the directory cannot be read: {reason}"
        ).findings
        result.failures += 1
    if files and (overlay or not sieve.all_pass((*files, *around))):
        enabled = _Enabled(settings)
        outside: list[FileReport] = []
        for report in _reports(files, settings, overlay, cache, result, index, progress):
            result.errors += report.errors
            if report.is_named:
                _take(report, _selected(report, enabled, result), result)
            else:
                outside.append(report)
        if context is not None and any(report.findings for report in outside):
            _take_elsewhere(outside, settings, overlay, enabled, result, index)
    if result.findings:
        _keep_shown(result, settings)
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


def _selected(report: "FileReport", enabled: _Enabled, result: CheckResult) -> "Sequence[Finding]":
    """The findings of one file, without those that are suppressed or not asked for."""
    findings: Sequence[Finding] = report.findings
    result.incomplete += sum(finding.code == "OAK003" for finding in findings)
    file = str(report.path)
    text = report.source.text if report.source is not None else None
    if text is not None and _may_suppress(text, findings):
        from oakum_lint.app.suppression.comments import apply

        findings = apply(text, file, findings, enabled.codes(file))
    if not findings:
        return ()
    codes = enabled.codes(file)
    return [finding for finding in findings if finding.code in codes]


def _take(report: "FileReport", findings: "Sequence[Finding]", result: CheckResult) -> None:
    """Adds findings of one file to the result."""
    result.findings += findings
    result.failures += sum(finding.code in FAILURES for finding in findings)
    if findings and report.source is not None:
        result.texts[str(report.path)] = report.source.text


def _take_elsewhere(
    outside: "Sequence[FileReport]",
    settings: Settings,
    overlay: "Mapping[Path, str] | None",
    enabled: _Enabled,
    result: CheckResult,
    index: "Keeper | None",
) -> None:
    """Adds what the named files cause in files that are not named."""
    from pathlib import Path

    from oakum_lint.app.elsewhere import findings_elsewhere

    context = result.context
    assert context is not None
    named = [Path(file) for file in result.files]

    def without_named(files: "Sequence[Path]") -> "Iterator[FileReport]":
        rest = [path for file in context.dependents if (path := Path(file)) not in files]
        analyse = _analysis(settings, overlay, None, context, index)
        return analyse(files, dependents=rest, hidden=named)

    selected = [
        (report, _selected(report, enabled, result))
        for report in outside
        if not settings.excludes(str(report.path))
    ]
    for report, findings in findings_elsewhere(selected, result.files, context, without_named):
        _take(report, findings, result)
        result.elsewhere += len(findings)


def _may_suppress(text: str, findings: "Sequence[Finding]") -> bool:
    """Whether a comment may hide one of the findings, or name what it does not hide."""
    lowered = text.lower()
    if "oak" in lowered or "noqa" not in lowered:
        return "oak" in lowered
    from oakum_lint.text.suppressions import NAMED

    return bool(findings) or NAMED.search(lowered) is not None


def _analysis(
    settings: Settings,
    overlay: "Mapping[Path, str] | None",
    cache: "UnitCache | None",
    context: ProjectContext | None,
    index: "Keeper | None",
) -> "Callable[..., Iterator[FileReport]]":
    """The analysis with the settings of a run."""
    from functools import partial
    from pathlib import Path

    from oakum_lint.app import analysis
    from oakum_lint.domain.assumptions import Assumptions
    from oakum_lint.models.habits import CALL_COUNTERS, DRAW_FLAGS, STILL_FLAGS, TRACE_COUNTERS

    return partial(
        analysis.analyse,
        overlay=overlay,
        cache=cache,
        index=index,
        assumptions=Assumptions(
            settings.assume_traced == "annotated",
            settings.entry_points,
            TRACE_COUNTERS if settings.trace_counters is None else settings.trace_counters,
            CALL_COUNTERS if settings.call_counters is None else settings.call_counters,
            DRAW_FLAGS if settings.draw_flags is None else settings.draw_flags,
            STILL_FLAGS if settings.still_flags is None else settings.still_flags,
        ),
        seconds=settings.max_seconds_per_root,
        jobs=settings.jobs if cache is None else 1,
        dependents=[Path(file) for file in context.dependents] if context is not None else (),
        import_roots=[*map(Path, context.import_roots)] if context is not None else (),
    )


def _reports(
    files: Sequence[str],
    settings: Settings,
    overlay: "Mapping[Path, str] | None",
    cache: "UnitCache | None",
    result: CheckResult,
    index: "Keeper | None",
    progress: "Progress | None",
) -> "Iterator[FileReport]":
    """The reports of all files; a failure of the analysis costs only the file that causes it."""
    from functools import partial
    from pathlib import Path

    analyse = _analysis(settings, overlay, cache, result.context, index)
    analyse = partial(analyse, progress=progress)
    paths = [Path(file) for file in files]
    done = 0
    try:
        for report in analyse(paths):
            yield report
            done += 1
        return
    except Exception as error:  # whatever it is, the other files are answered
        first_error = error
    remaining = paths[done:]
    # Which file it was is not known. Each by itself still finds all that it holds, without what
    # it imports from the rest.
    by_itself = _analysis(settings, overlay, None, None, None)
    if len(remaining) == 1 and not (result.context and result.context.dependents):
        _fail(result, remaining[0], first_error)
        return
    failures = result.failures
    for path in remaining:
        try:
            yield from by_itself([path])
        except Exception as error:
            _fail(result, path, error)
    if result.failures == failures:
        # It takes several files to fail: what they hold together was not looked for.
        _fail(result, (remaining or paths)[0], first_error)


def _fail(result: CheckResult, path: "Path", error: Exception) -> None:
    from oakum_lint.text.failures import in_words, start_of, tool_finding

    message = in_words("this file", error)
    result.findings.append(tool_finding(start_of(str(path)), "OAK004", message))
    result.failures += 1


def _keep_shown(result: CheckResult, settings: Settings) -> None:
    """Keeps the findings that are as sure and as severe as was asked for."""
    if settings.min_confidence == "proved":
        result.findings = [f for f in result.findings if f.confidence == "proved"]
    if settings.min_severity != "information":
        shown = [f for f in result.findings if f.severity != "information"]
        result.hidden += len(result.findings) - len(shown)
        result.findings = shown
