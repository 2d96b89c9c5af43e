"""`oakum check --fix` and `--diff`: makes the fixes, or shows what they would be."""

import argparse
import codecs
import sys
from collections.abc import Mapping
from pathlib import Path

from oakum_lint.cli import CLEAN, FAILED, FOUND
from oakum_lint.commands.output import emit_bytes
from oakum_lint.fixes.rewriting import difference, rewrite
from oakum_lint.fixes.rounds import Fixed, fix_findings
from oakum_lint.report.wording import one_line
from oakum_lint.runner import CheckResult
from oakum_lint.settings import Settings
from oakum_lint.source import Undecodable, form_of


def apply(
    result: CheckResult,
    settings: Settings,
    options: argparse.Namespace,
    overlay: Mapping[Path, str],
) -> CheckResult:
    """Fixes the files of a result, or writes fixed standard input to standard output.

    What is still found then; files that cannot be written count as failures.
    """
    before = result.texts
    fixed = _fix(result, settings, options, overlay)
    left = fixed.result
    left.unsafe_fixes = options.unsafe_fixes
    left.fixed = fixed.counts.total()
    for path, text in overlay.items():
        emit_bytes(_encoded(fixed.texts.get(str(path), text)))
    for file, text in fixed.texts.items():
        problem = "" if Path(file) in overlay else rewrite(file, before[file], text)
        if problem:
            left.failures += 1
            print(f"oakum: {one_line(file)} is not fixed: {problem}", file=sys.stderr)
    return left


def show(
    result: CheckResult,
    settings: Settings,
    options: argparse.Namespace,
    overlay: Mapping[Path, str],
) -> int:
    """Prints what would be written as a unified diff. Exit status 1 if there is anything."""
    fixed = _fix(result, settings, options, overlay)
    for file in sorted(fixed.texts):
        mark = "\ufeff" if Path(file) not in overlay and _has_mark(file) else ""
        texts = (mark + result.texts[file], mark + fixed.texts[file])
        emit_bytes(_encoded(difference(Path(file).as_posix(), *texts), texts[0]))
    count = fixed.counts.total()
    noun = "finding" if count == 1 else "findings"
    print(f"Would fix {count} {noun}." if count else "No fixes.", file=sys.stderr)
    if fixed.result.failures:
        return FAILED
    return FOUND if fixed.texts and not options.exit_zero else CLEAN


def _fix(
    result: CheckResult,
    settings: Settings,
    options: argparse.Namespace,
    overlay: Mapping[Path, str],
) -> Fixed:
    return fix_findings(result, result.files, settings, overlay, unsafe=options.unsafe_fixes)


def _has_mark(file: str) -> bool:
    try:
        with open(file, "rb") as stream:
            return stream.read(3) == codecs.BOM_UTF8
    except OSError:
        return False


def _encoded(text: str, program: str | None = None) -> bytes:
    """A text in the encoding that a program declares: its own, or another that quotes it."""
    form = form_of((program or text).encode("utf-8", "surrogatepass"))
    encoding = "utf-8" if isinstance(form, Undecodable) else form.encoding
    return text.encode(encoding, "surrogatepass" if encoding == "utf-8" else "backslashreplace")
