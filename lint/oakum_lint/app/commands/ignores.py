"""`oakum check --add-ignore`: writes beside each finding a comment that suppresses it."""

import argparse
import os
import sys
from collections.abc import Mapping
from pathlib import Path

from oakum_lint.app.check_result import CheckResult
from oakum_lint.app.commands.output import emit_bytes
from oakum_lint.app.config import ConfigurationError
from oakum_lint.app.exit_status import CLEAN, FAILED, FOUND
from oakum_lint.app.rewriting import rewrite
from oakum_lint.app.signals import hold_ends
from oakum_lint.app.suppression.comments import CANNOT_BE_HIDDEN
from oakum_lint.app.suppression.insertion import suppress
from oakum_lint.text.finding import Finding
from oakum_lint.text.lines import one_line


def add(result: CheckResult, options: argparse.Namespace, overlay: Mapping[Path, str]) -> int:
    """Writes the comments into the files that were named, or fixed standard input to standard
    output. Exit status 1 if there is a finding for which no comment could be written.
    """
    reason: str = options.reason
    if any(character in reason for character in "\r\n#"):
        raise ConfigurationError("--reason: it stands in one comment, so without line ends and #")
    named = frozenset(result.files)
    by_file: dict[str, list[Finding]] = {}
    for finding in result.findings:
        if finding.code not in CANNOT_BE_HIDDEN and finding.location.file in named:
            by_file.setdefault(finding.location.file, []).append(finding)
    left = len(result.findings) - sum(map(len, by_file.values()))
    written, failed = 0, False
    with hold_ends() as end:
        for file, findings in sorted(by_file.items()):
            end()
            text, unplaced = suppress(result.texts[file], findings, reason)
            for finding in unplaced:
                place = f"{one_line(file)}:{finding.location.line}"
                print(f"oakum: {place}: no line takes a comment there", file=sys.stderr)
            left += len(unplaced)
            if Path(file) in overlay:
                emit_bytes(text.encode("utf-8", "surrogatepass"))
                problem = ""
            else:
                problem = rewrite(os.fspath(file), result.texts[file], text)
            if problem:
                print(f"oakum: {one_line(file)} is not written: {problem}", file=sys.stderr)
                failed = True
            else:
                written += len(findings) - len(unplaced)
    noun = "finding" if written == 1 else "findings"
    print(f"Suppressed {written} {noun}.", file=sys.stderr)
    if failed or result.failures:
        return FAILED
    return FOUND if left and not options.exit_zero else CLEAN
