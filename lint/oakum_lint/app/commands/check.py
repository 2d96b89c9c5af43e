"""`oakum check`: finds, reports, and says by its exit status whether anything was found."""

import argparse
import os
import sys
from collections.abc import Sequence

from oakum_lint.app import runner
from oakum_lint.app.check_result import CheckResult
from oakum_lint.app.commands.output import MACHINE_FORMATS, check_output, write_report
from oakum_lint.app.config import ConfigurationError, check_seconds, check_selectors, load
from oakum_lint.app.exit_status import CLEAN, FAILED, FOUND
from oakum_lint.app.project_context import project_context
from oakum_lint.app.report.wording import not_all_analysed, notebooks, statistics
from oakum_lint.app.settings import Settings
from oakum_lint.text.notebooks import NO_NOTEBOOKS, is_notebook

TYPE_CHECKING = False  # not from `typing`, which the start does without
if TYPE_CHECKING:
    from pathlib import Path
    from typing import TextIO


def run(options: argparse.Namespace) -> int:
    """Checks the paths of the command line."""
    settings = _settings(options)
    _check_options(options)
    overlay: dict[Path, str] = {}
    try:
        result = _check(options, settings, overlay)
    except runner.MissingPathError as error:
        raise ConfigurationError(str(error)) from None
    if result.checked == 0 and not result.findings:
        print("oakum: note: no Python files found under the given paths", file=sys.stderr)
    result.unsafe_fixes = options.unsafe_fixes
    result.explains_confidence = options.explain_confidence
    if options.diff or options.fix:
        from oakum_lint.app.commands import fix

        if options.diff:
            return fix.show(result, settings, options, overlay)
        result = fix.apply(result, settings, options, overlay)
    # What is fixed of standard input is written to standard output, alone.
    stream = sys.stderr if options.fix and "-" in options.paths else sys.stdout
    write_report(result, settings.output_format, options.output_file, stream)
    if result.incomplete and settings.output_format in MACHINE_FORMATS:
        print(f"oakum: {not_all_analysed(result)}", file=sys.stderr)
    if result.notebooks and settings.output_format in MACHINE_FORMATS:
        print(f"oakum: note: {notebooks(result)}", file=sys.stderr)
    if options.statistics and result.findings:
        print(statistics(result), end="", file=sys.stderr)
    if result.failures:
        return FAILED
    return FOUND if result.fails(settings) and not options.exit_zero else CLEAN


def _settings(options: argparse.Namespace) -> Settings:
    paths = [options.stdin_filename or "." if path == "-" else path for path in options.paths]
    settings = load(paths, options.config, isolated=options.isolated)
    if options.select:
        # A choice on the command line starts afresh: the file's `ignore` belongs to its `select`.
        settings.select, settings.ignore = _selectors(options.select, "--select"), ()
        settings.per_file_ignores = {}
    if options.ignore:
        settings.ignore += _selectors(options.ignore, "--ignore")
    settings.output_format = options.output_format or settings.output_format
    settings.min_confidence = options.min_confidence or settings.min_confidence
    if options.max_seconds_per_root is not None:
        settings.max_seconds_per_root = check_seconds(
            options.max_seconds_per_root, "--max-seconds-per-root"
        )
    settings.assume_traced = options.assume_traced or settings.assume_traced
    settings.force_exclude = options.force_exclude or settings.force_exclude
    return settings


def _check_options(options: argparse.Namespace) -> None:
    if options.project is not None and not os.path.isdir(options.project):
        raise ConfigurationError(f"--project {options.project}: there is no such directory")
    if options.output_file is not None:
        check_output(options.output_file, options.paths)


def _selectors(values: Sequence[str], option: str) -> tuple[str, ...]:
    words = [word.strip() for value in values for word in value.split(",")]
    return check_selectors([word for word in words if word], option)


def _check(
    options: argparse.Namespace, settings: Settings, overlay: "dict[Path, str]"
) -> CheckResult:
    """The findings; what standard input holds is put into `overlay`."""
    if "-" not in options.paths:
        if options.stdin_filename:
            raise ConfigurationError("--stdin-filename needs - as the path")
        keep = not (options.no_cache or options.fix or options.diff)
        return runner.check_paths(options.paths, settings, project=options.project, keep=keep)
    if len(options.paths) > 1:
        raise ConfigurationError("- for standard input cannot stand among other paths")
    name: str = options.stdin_filename or "<stdin>"
    if settings.force_exclude and settings.excludes(os.path.abspath(name)):
        return CheckResult()
    return _check_standard_input(name, settings, overlay, options.project)


def _check_standard_input(
    name: str, settings: Settings, overlay: "dict[Path, str]", project: str | None
) -> CheckResult:
    from pathlib import Path

    from oakum_lint.text import source

    if is_notebook(name):
        return runner.unreadable_file(name, NO_NOTEBOOKS)
    stream: TextIO | None = sys.stdin  # None where it is closed
    if stream is None:
        return runner.unreadable_file(name, "standard input is closed")
    try:
        text = source.decode(stream.buffer.read())
    except OSError as error:
        return runner.unreadable_file(name, error.strerror or type(error).__name__)
    if isinstance(text, source.Undecodable):
        return runner.unreadable_file(name, text.message)
    overlay[Path(name)] = text
    context = project_context([name], settings, project) if name != "<stdin>" else None
    result = runner.check_files([name], settings, overlay, context=context)
    result.lacks_project = context is not None and not context.has_root
    return result
