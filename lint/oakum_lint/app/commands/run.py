"""`oakum run`: runs a program with the checks of the engine on, and reports what they found beside
what is found in its source.

The program runs in a process of its own (`oakum.api.checked_run`), which notes what it finds in a
file. Its input, output and exit status are those of the program.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from typing import TypedDict

from oakum.values.records import dataclass, replace
from oakum_lint.app import runner
from oakum_lint.app.check_result import CheckResult
from oakum_lint.app.commands.output import write_report
from oakum_lint.app.config import ConfigurationError, load
from oakum_lint.app.exit_status import FOUND
from oakum_lint.app.settings import Settings
from oakum_lint.text.finding import Confidence, Finding, Location, Severity

CHECKS = ("leaks", "keys", "nans", "infs")
_HEADLINE = 80
_RAISING = ("OAK2", "OAK5")
"""Families whose findings raise an error at their line."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What a check has found while the program ran."""

    code: str
    name: str
    file: str
    line: int
    error: str
    message: str
    notes: tuple[str, ...]
    hint: str
    ended: bool


@dataclass(frozen=True, slots=True)
class Outcome:
    """How the program ended, what was found, and which of the watched lines were run."""

    status: int
    seen: tuple[Seen, ...]
    lines: Mapping[tuple[str, int], str]
    """The watched lines that were run, and the errors that they raised."""
    finished: bool
    """Whether the report has an end: not where the process was killed, or left by `os._exit`."""


def run(options: argparse.Namespace) -> int:
    """Runs the program, reports, and returns its exit status, or 1 where it is 0 and something was
    found.
    """
    checks = _checks(options.checks)
    file = _file_of(options)
    settings = load([file or "."], options.config, isolated=options.isolated)
    settings.output_format = options.output_format or settings.output_format
    static = _static_findings(file, settings)
    outcome = _run_program(options, checks, static.findings)
    found = len(outcome.seen)
    _join(static, outcome)
    write_report(static, settings.output_format, options.output_file, sys.stderr)
    if not outcome.finished:
        print("oakum: the program ended without a report of its own", file=sys.stderr)
    return outcome.status or (FOUND if found else 0)


def _checks(given: str | None) -> Sequence[str]:
    names = CHECKS if given is None else tuple(name for name in given.split(",") if name)
    for name in names:
        if name not in CHECKS:
            raise ConfigurationError(f"--checks {name}: the checks are {', '.join(CHECKS)}")
    return names


def _file_of(options: argparse.Namespace) -> str | None:
    """Returns the file of the program; None for a module that is not found from here."""
    program: str = options.program
    if not options.module:
        if not os.path.isfile(program):
            raise ConfigurationError(f"no such file: {program}")
        return program
    path = program.replace(".", os.sep)
    candidates = (f"{path}.py", os.path.join(path, "__main__.py"))
    return next((each for each in candidates if os.path.isfile(each)), None)


def _static_findings(file: str | None, settings: Settings) -> CheckResult:
    if file is None:
        return CheckResult()
    result = runner.check_paths([file], settings, keep=True)
    result.lacks_project = False
    result.findings = [each for each in result.findings if each.severity is Severity.ERROR]
    return result


def _run_program(
    options: argparse.Namespace, checks: Sequence[str], findings: Iterable[Finding]
) -> Outcome:
    """Runs the program to its end, and reads what was noted."""
    watched: dict[str, list[int]] = {}
    for finding in findings:
        watched.setdefault(finding.location.file, []).append(finding.location.line)
    given = {
        "is_module": options.module,
        "checks": list(checks),
        "as_jax": options.engine == "oakum",
        "watched": watched,
    }
    handle, report = tempfile.mkstemp(prefix="oakum-run-", suffix=".jsonl")
    os.close(handle)
    # Without `-P` a file of the current directory could take the place of a module of Python's.
    command = [sys.executable, "-P", "-m", "oakum", "--checked-run", report, json.dumps(given)]
    try:
        child = subprocess.Popen([*command, options.program, *options.arguments])
        while True:
            try:
                status = child.wait()
                break
            except KeyboardInterrupt:
                continue  # The program has got it too: it ends when it wants to.
        with open(report, encoding="utf-8") as stream:
            lines: list[_Line] = [json.loads(line) for line in stream]
    finally:
        os.unlink(report)
    return _outcome(status, lines)


class _Line(TypedDict, total=False):
    """A line of what the program's process notes: a finding, or the end."""

    kind: str
    code: str
    name: str
    file: str
    line: int
    error: str
    message: str
    notes: list[str]
    hint: str
    ended: bool
    lines: list[tuple[str, int, str]]


def _outcome(status: int, lines: Sequence[_Line]) -> Outcome:
    seen = [
        Seen(
            code=line.get("code", ""),
            name=line.get("name", ""),
            file=line.get("file", ""),
            line=line.get("line", 0),
            error=line.get("error", ""),
            message=line.get("message", ""),
            notes=tuple(line.get("notes", ())),
            hint=line.get("hint", ""),
            ended=line.get("ended", False),
        )
        for line in lines
        if line.get("kind") == "finding"
    ]
    ends = [line for line in lines if line.get("kind") == "end"]
    run_lines = {(file, at): error for end in ends for file, at, error in end.get("lines", ())}
    # A shell says 128 and the signal of a program that a signal has ended.
    return Outcome(128 - status if status < 0 else status, tuple(seen), run_lines, bool(ends))


def _join(result: CheckResult, outcome: Outcome) -> None:
    """Adds what was found at run time to what was found in the source, and marks the latter."""
    rest = {(os.path.realpath(each.file), each.line): each for each in outcome.seen}
    joined: list[Finding] = []
    for finding in result.findings:
        place = (os.path.realpath(finding.location.file), finding.location.line)
        seen = rest.get(place)
        if finding.code.startswith("OAK0"):  # of the check itself
            joined.append(finding)
            continue
        if seen is not None and seen.code[:4] == finding.code[:4]:
            del rest[place]
            note = f"confirmed at run time: {seen.error}"
        else:
            note = _note(finding, outcome.lines.get(place))
        joined.append(replace(finding, notes=(*finding.notes, note)))
    for seen in rest.values():
        joined.append(_finding(seen, result))
    result.findings = sorted(joined, key=lambda each: (each.location, each.code))
    result.checked = max(result.checked, 1)


def _note(finding: Finding, error: str | None) -> str:
    """Returns what a run says of a finding in the source; `error` is what its line raised, None
    where the line was not run.
    """
    if error is None:
        return "not seen: this run did not reach the line"
    if error:
        return f"confirmed at run time: {error}, which the program caught"
    if finding.code.startswith(_RAISING):
        return "not confirmed: the line was run, and nothing failed there"
    return "the line was run"


def _finding(seen: Seen, result: CheckResult) -> Finding:
    """Returns a finding of a run, and has its line shown."""
    file = os.path.relpath(seen.file) if os.path.isabs(seen.file) else seen.file
    column, end = 1, 1
    if seen.file and file not in result.texts and os.path.isfile(seen.file):
        with open(seen.file, encoding="utf-8", errors="replace") as stream:
            result.texts[file] = stream.read()
    lines = result.texts.get(file, "").splitlines()
    if 0 < seen.line <= len(lines):
        text = lines[seen.line - 1]
        column, end = len(text) - len(text.lstrip()) + 1, len(text.rstrip()) + 1
    message = seen.message.rstrip(".")
    headline = message if len(message) <= _HEADLINE else f"{message[: _HEADLINE - 3]}..."
    more = () if headline == message else (message,)
    how = "it ended the program" if seen.ended else "the program went on"
    return Finding(
        Location(file or "<program>", max(seen.line, 1), column, max(seen.line, 1), end),
        seen.code,
        seen.name,
        headline,
        seen.hint,
        Severity.ERROR,
        Confidence.PROVED,
        notes=(*more, *(note.strip() for note in seen.notes), f"{seen.error} at run time: {how}"),
    )
