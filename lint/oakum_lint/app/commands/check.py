"""`oakum check`: finds, reports, and says by its exit status whether anything was found."""

import argparse
import os
import sys
from collections.abc import Mapping, Sequence

from oakum_lint.app import runner
from oakum_lint.app.check_result import CheckResult
from oakum_lint.app.commands.output import (
    EDIT_FORMATS,
    MACHINE_FORMATS,
    check_output,
    write_report,
)
from oakum_lint.app.config import (
    ConfigurationError,
    check_seconds,
    check_selectors,
    load,
    set_inline,
)
from oakum_lint.app.exit_status import CLEAN, FAILED, FOUND
from oakum_lint.app.project_context import project_context
from oakum_lint.app.report.wording import baseline as baseline_note
from oakum_lint.app.report.wording import not_all_analysed, statistics
from oakum_lint.app.settings import Settings
from oakum_lint.text.notebook.names import is_joined, is_notebook

TYPE_CHECKING = False  # not from `typing`, which the start does without
if TYPE_CHECKING:
    from pathlib import Path
    from typing import TextIO

    from oakum_lint.app.distribution.shards import Keeper, Merged
    from oakum_lint.app.index.folder import CacheFolder
    from oakum_lint.app.live.passes import PassParts


def run(options: argparse.Namespace, merged: "Merged | None" = None) -> int:
    """Checks the paths of the command line; `merged` has what shards of this run have found."""
    if options.watch:
        from oakum_lint.app.commands.watch import run as watch

        return watch(options)
    settings = _settings(options)
    _check_options(options)
    if options.show_settings or options.show_files:
        from oakum_lint.app.commands.show import show

        show(options, settings)
        return CLEAN
    if options.shard:
        from oakum_lint.app.commands.shard import write

        return write(options, settings)
    return _check_and_report(options, settings, merged)


def _check_and_report(
    options: argparse.Namespace, settings: Settings, merged: "Merged | None"
) -> int:
    overlay: dict[Path, str] = {}
    parts = _pass_parts(settings) if options.diff or options.fix else None
    confirm = _confirmation(options, settings)
    result = _check(options, settings, overlay, merged or parts, None if parts else confirm)
    if result.checked == 0 and not result.findings:
        if merged is not None and merged.has_parts:
            raise ConfigurationError(
                "no file of the shards is here: merge them where they were made"
            )
        print("oakum: note: no Python files found under the given paths", file=sys.stderr)
    result.unsafe_fixes = options.unsafe_fixes
    result.explains_confidence = options.explain_confidence
    result.each_place = options.all_places
    if parts is not None:
        from oakum_lint.app.commands import fix

        if options.diff:
            return fix.show(result, settings, options, overlay, parts)
        result = fix.apply(result, settings, options, overlay, parts)
        if confirm is not None:
            confirm(result, settings, overlay, parts)
    if options.write_baseline:
        return _write_baseline(result, settings)
    if settings.baseline is not None:
        from oakum_lint.app.suppression import baseline

        baseline.hide_known(result, settings.baseline, settings)
    if options.add_ignore:
        from oakum_lint.app.commands import ignores

        return ignores.add(result, options, overlay)
    _report(result, settings, options)
    return _status(result, settings, options)


def _confirmation(options: argparse.Namespace, settings: Settings) -> "runner.Revision | None":
    """What confirms the fixes of a result, where its report hands out their edits."""
    if settings.output_format not in EDIT_FORMATS or options.add_ignore or options.write_baseline:
        return None
    return _confirm


def _confirm(
    result: CheckResult,
    settings: Settings,
    overlay: "Mapping[Path, str]",
    known: "CacheFolder | Keeper | None" = None,
) -> None:
    if any(finding.fix is not None for finding in result.findings):
        from oakum_lint.app.fixing.confirmation import confirm_fixes

        confirm_fixes(result, settings, overlay, known)


def _pass_parts(settings: Settings) -> "PassParts":
    """Has the analyses of a check stay alive, for those of fixed texts, in this process alone."""
    from oakum_lint.app.live.passes import PassParts

    settings.jobs = 1
    return PassParts()


def _report(result: CheckResult, settings: Settings, options: argparse.Namespace) -> None:
    if any(is_notebook(finding.location.file) for finding in result.findings):
        from oakum_lint.app.places.cells import name_cells

        name_cells(result)
    # What is fixed of standard input is written to standard output, alone.
    stream = sys.stderr if options.fix and "-" in options.paths else sys.stdout
    write_report(result, settings.output_format, options.output_file, stream, options.color)
    if settings.output_format in MACHINE_FORMATS:
        _note(result)
    if options.statistics and result.findings:
        print(statistics(result), end="", file=sys.stderr)


def _note(result: CheckResult) -> None:
    """Says on standard error what reports for people end with."""
    if result.known or result.stale:
        print(f"oakum: note: {baseline_note(result)}", file=sys.stderr)
    if result.incomplete:
        print(f"oakum: {not_all_analysed(result)}", file=sys.stderr)


def _status(result: CheckResult, settings: Settings, options: argparse.Namespace) -> int:
    if result.failures:
        return FAILED
    if options.exit_non_zero_on_fix and result.fixed:
        return FOUND
    return FOUND if result.fails(settings) and not options.exit_zero else CLEAN


def _write_baseline(result: CheckResult, settings: Settings) -> int:
    """Writes what was found into the baseline, which cannot hold what was not analysed."""
    from oakum_lint.app.suppression import baseline

    file = settings.baseline or os.path.join(settings.root, "oakum-baseline.json")
    count = baseline.write(result, file)
    noun = "finding" if count == 1 else "findings"
    print(f"The baseline {os.path.relpath(file)} holds {count} {noun}.", file=sys.stderr)
    return FAILED if result.failures else CLEAN


def _settings(options: argparse.Namespace) -> Settings:
    paths = [options.stdin_filename or "." if path == "-" else path for path in options.paths]
    files, inline = _configuration(options.config or ())
    settings = load(paths, files[-1] if files else None, isolated=options.isolated)
    for item in inline:
        set_inline(settings, item)
    if options.select:
        # A choice on the command line starts afresh: the file's `ignore` belongs to its `select`.
        settings.select, settings.ignore = _selectors(options.select, "--select"), ()
        settings.per_file_ignores = {}
    if options.extend_select:
        settings.select += _selectors(options.extend_select, "--extend-select")
    if options.ignore:
        settings.ignore += _selectors(options.ignore, "--ignore")
    settings.output_format = options.output_format or settings.output_format
    settings.min_confidence = options.min_confidence or settings.min_confidence
    settings.min_severity = options.min_severity or settings.min_severity
    if options.max_seconds_per_root is not None:
        settings.max_seconds_per_root = check_seconds(
            options.max_seconds_per_root, "--max-seconds-per-root"
        )
    settings.assume_traced = options.assume_traced or settings.assume_traced
    settings.baseline = options.baseline or settings.baseline
    settings.documents = options.documents or settings.documents
    settings.force_exclude = options.force_exclude or settings.force_exclude
    settings.jobs = _jobs(options.jobs)
    return settings


def _configuration(items: Sequence[str]) -> tuple[list[str], list[str]]:
    """The files and the single settings among the arguments of `--config`."""
    inline = [item for item in items if "=" in item and not os.path.exists(item)]
    files = [item for item in items if item not in inline]
    if len(files) > 1:
        raise ConfigurationError(f"--config: one file at most, found {', '.join(files)}")
    return files, inline


def _jobs(stated: str) -> int:
    """How many processes `--jobs` asks for."""
    if stated == "auto":
        return os.cpu_count() or 1
    if stated.isascii() and stated.isdigit() and int(stated) > 0:
        return int(stated)
    raise ConfigurationError(f"--jobs {stated}: this is neither a number above 0 nor `auto`")


def _check_options(options: argparse.Namespace) -> None:
    if options.add_ignore and (options.fix or options.diff or options.write_baseline):
        raise ConfigurationError("--add-ignore cannot stand beside --fix, --diff, --write-baseline")
    if options.reason and not options.add_ignore:
        raise ConfigurationError("--reason needs --add-ignore")
    if options.project is not None and not os.path.isdir(options.project):
        raise ConfigurationError(f"--project {options.project}: there is no such directory")
    if options.output_file is not None:
        check_output(options.output_file, options.paths)


def _selectors(values: Sequence[str], option: str) -> tuple[str, ...]:
    words = [word.strip() for value in values for word in value.split(",")]
    return check_selectors([word for word in words if word], option)


def _check(
    options: argparse.Namespace,
    settings: Settings,
    overlay: "dict[Path, str]",
    index: "Keeper | None",
    revise: "runner.Revision | None",
) -> CheckResult:
    """The findings, as `revise` leaves them; what standard input holds is put into `overlay`."""
    if "-" not in options.paths:
        if options.stdin_filename:
            raise ConfigurationError("--stdin-filename needs - as the path")
        keep = not (options.no_cache or options.fix or options.diff)
        try:
            return runner.check_paths(
                options.paths,
                settings,
                project=options.project,
                keep=keep,
                is_shown=True,
                index=index,
                revise=revise,
                # What changes files looks at their own text alone.
                has_examples=settings.documents
                and not (options.fix or options.diff or options.add_ignore),
            )
        except runner.MissingPathError as error:
            raise ConfigurationError(str(error)) from None
    if is_joined(options.stdin_filename or "") and (
        options.fix or options.diff or options.add_ignore
    ):
        raise ConfigurationError(
            "a notebook or document on standard input can be checked, and not changed"
        )
    if len(options.paths) > 1:
        raise ConfigurationError("- for standard input cannot stand among other paths")
    name: str = options.stdin_filename or "<stdin>"
    if settings.force_exclude and settings.excludes(os.path.abspath(name)):
        return CheckResult()
    index = index or (None if revise is None else runner.kept_alive(settings))
    result = _check_standard_input(name, settings, overlay, options.project, index)
    if revise is not None:
        revise(result, settings, overlay, index)
    return result


def _check_standard_input(
    name: str,
    settings: Settings,
    overlay: "dict[Path, str]",
    project: str | None,
    index: "Keeper | None",
) -> CheckResult:
    from pathlib import Path

    from oakum_lint.text import source

    stream: TextIO | None = sys.stdin  # None where it is closed
    if stream is None:
        return runner.unreadable_file(name, "standard input is closed")
    try:
        data = stream.buffer.read()
    except OSError as error:
        return runner.unreadable_file(name, error.strerror or type(error).__name__)
    text = source.decode_file(name, data)
    if isinstance(text, source.Undecodable):
        return runner.unreadable_file(name, text.message)
    overlay[Path(name)] = text
    context = project_context([name], settings, project) if name != "<stdin>" else None
    result = runner.check_files([name], settings, overlay, context=context, index=index)
    result.lacks_project = context is not None and not context.has_root
    result.standard_input = data
    return result
