"""`oakum check --fix` and `--diff`: makes the fixes, or shows what they would be."""

import argparse
import codecs
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from oakum_lint.app.check_result import CheckResult
from oakum_lint.app.commands.output import emit_bytes
from oakum_lint.app.drafts import clean
from oakum_lint.app.exit_status import CLEAN, FAILED, FOUND
from oakum_lint.app.fixing.fixpoint import Fixed, fix_findings
from oakum_lint.app.live.passes import PassParts
from oakum_lint.app.rewriting import difference, rewrite
from oakum_lint.app.runner import check_files
from oakum_lint.app.settings import Settings
from oakum_lint.app.signals import hold_ends
from oakum_lint.text.lines import one_line
from oakum_lint.text.notebook.cells import BadNotebookError, notebook_at
from oakum_lint.text.notebook.documents import read_document
from oakum_lint.text.notebook.names import LARGEST_NOTEBOOK, is_document, is_joined
from oakum_lint.text.regular_files import read_regular
from oakum_lint.text.source import Undecodable, form_of


def apply(
    result: CheckResult,
    settings: Settings,
    options: argparse.Namespace,
    overlay: Mapping[Path, str],
    parts: PassParts,
) -> CheckResult:
    """Fixes the files of a result, or writes fixed standard input to standard output.

    What is still found then; files that cannot be written count as failures.
    """
    directories = dict.fromkeys(os.path.dirname(os.path.realpath(file)) for file in result.files)
    with hold_ends():
        put_back = clean(directories)
    if put_back:
        again = check_files(result.files, settings, overlay, context=result.context)
        result = again
    fixed = _fix(result, settings, options, overlay, parts)
    for path, text in overlay.items():
        emit_bytes(_encoded(fixed.texts.get(str(path), text)))
    files = [file for file in fixed.texts if Path(file) not in overlay]
    unwritten: set[str] = set()
    with hold_ends() as end:
        for file in files:
            end()
            problem = _leaves(file, options.paths) or rewrite(
                file, result.texts[file], fixed.texts[file]
            )
            if problem:
                unwritten.add(file)
                print(f"oakum: {one_line(file)} is not fixed: {problem}", file=sys.stderr)
    # What was not written is still found.
    left = fixed.result
    if unwritten:
        left = check_files(result.files, settings, overlay, context=result.context)
    left.failures += len(unwritten)
    left.unsafe_fixes = options.unsafe_fixes
    left.fixed = sum(count for file, count in fixed.counts.items() if file not in unwritten)
    return left


def _leaves(file: str, paths: Sequence[str]) -> str:
    """Why a file is not written that was found in a directory of the command line, and is a link
    out of it; "" if it is not.
    """
    real = os.path.realpath(file)
    for path in paths:
        if os.path.abspath(path) == os.path.abspath(file):
            return ""  # named by itself
        if os.path.isdir(path) and real.startswith(os.path.join(os.path.realpath(path), "")):
            return ""
    return "it is a link to a file outside of what is checked"


def show(
    result: CheckResult,
    settings: Settings,
    options: argparse.Namespace,
    overlay: Mapping[Path, str],
    parts: PassParts,
) -> int:
    """Prints what would be written as a unified diff. Exit status 1 if there is anything."""
    fixed = _fix(result, settings, options, overlay, parts)
    for file in sorted(fixed.texts):
        mark = "\ufeff" if Path(file) not in overlay and _has_mark(file) else ""
        texts = (mark + result.texts[file], mark + fixed.texts[file])
        if is_joined(file):
            texts = _shown(file, texts)
        emit_bytes(_encoded(difference(Path(file).as_posix(), *texts), texts[0]))
    count = fixed.counts.total()
    noun = "finding" if count == 1 else "findings"
    print(f"Would fix {count} {noun}." if count else "No fixes.", file=sys.stderr)
    if fixed.result.failures:
        return FAILED
    return FOUND if fixed.texts and not options.exit_zero else CLEAN


def _shown(file: str, texts: tuple[str, str]) -> tuple[str, str]:
    """The texts of a notebook or document as people know it; as they are where it is another one
    by now.
    """
    if is_document(file):
        return _in_document(file, texts)
    notebook = notebook_at(file)
    if notebook is None:
        return texts
    return notebook.shown(texts[0]), notebook.shown(texts[1])


def _in_document(file: str, texts: tuple[str, str]) -> tuple[str, str]:
    try:
        document = read_document(read_regular(file, LARGEST_NOTEBOOK))
        return document.with_text(texts[0]), document.with_text(texts[1])
    except (OSError, BadNotebookError):
        return texts


def _fix(
    result: CheckResult,
    settings: Settings,
    options: argparse.Namespace,
    overlay: Mapping[Path, str],
    parts: PassParts,
) -> Fixed:
    return fix_findings(result, settings, overlay, parts, unsafe=options.unsafe_fixes)


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
