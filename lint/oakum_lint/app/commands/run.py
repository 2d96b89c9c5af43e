"""`oakum run`: runs a program with the checks of the engine on, and reports what they found beside
what is found in its source.

The program runs in a process of its own (`oakum.api.checks.checked_run`), which notes what it finds
in a file. Its input, output and exit status are those of the program.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypedDict

from oakum.values.checks.check_outcomes import CHECKS, Found, misspelt
from oakum.values.records import dataclass, replace
from oakum_lint.app import runner
from oakum_lint.app.check_result import CheckResult
from oakum_lint.app.commands.output import check_output, write_report
from oakum_lint.app.config import ConfigurationError, load
from oakum_lint.app.exit_status import FOUND
from oakum_lint.app.index.seen_calls import CalledFunction, keep_calls
from oakum_lint.app.settings import Settings
from oakum_lint.text.finding import Finding, Location, Related, Severity

_HEADLINE = 80
_RAISING = ("OAK2", "OAK5")
"""Families whose findings raise an error at their line."""
_CHECKED = {
    "OAK4": "keys",
    "OAK11": "impurity",
    "OAK307": "retraces",
    "OAK308": "retraces",
    "OAK706": "transfers",
}
"""What raises nothing, and one of the checks finds: how codes begin, and the check."""
_MEANT = {"OAK706": "the program may need the values in each step"}
"""What the author may have meant: such findings are likely, and do not fail the run."""
_COUNTED = ("OAK307", "OAK308")
"""What goes wrong where a line has a function compiled often."""
_OF_TRACES = "OAK11"
"""What goes wrong where a line is run while a function is traced."""


@dataclass(frozen=True, slots=True)
class Visit:
    """What became of a line that was run: the error that it raised, and whether it was run while a
    function was traced.
    """

    error: str
    traced: bool


@dataclass(frozen=True, slots=True)
class Outcome:
    """How the program ended, what was found, and which of the watched lines were run."""

    status: int
    seen: tuple[Found, ...]
    lines: Mapping[tuple[str, int], "Visit"]
    """The watched lines that were run."""
    called: tuple["CalledFunction", ...]
    """What was seen of functions that were called."""
    finished: bool
    """Whether the report has an end: not where the process was killed, or left by `os._exit`."""


def run(options: argparse.Namespace) -> int:
    """Runs the program, reports, and returns its exit status, or 1 where it is 0 and something was
    found that nobody means.
    """
    checks = _checks(options.checks)
    file = _file_of(options)
    settings = load([file or "."], options.config, isolated=options.isolated)
    settings.output_format = options.output_format or settings.output_format
    if options.output_file is not None:
        check_output(options.output_file, [options.program])
    static = _static_findings(file, settings, checks)
    began = time.time_ns()
    outcome = _run_program(options, checks, static.findings)
    keep_calls(file or ".", outcome.called, began)
    found = any(each.code not in _MEANT for each in outcome.seen)
    _join(static, outcome)
    write_report(static, settings.output_format, options.output_file, sys.stderr)
    if not outcome.finished:
        print("oakum: the program ended without a report of its own", file=sys.stderr)
    return outcome.status or (FOUND if found else 0)


def _checks(given: str | None) -> Sequence[str]:
    names = tuple(CHECKS) if given is None else [name for name in given.split(",") if name]
    if problem := misspelt(names):
        raise ConfigurationError(f"--checks {problem}")
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


def _static_findings(file: str | None, settings: Settings, checks: Sequence[str]) -> CheckResult:
    if file is None:
        return CheckResult()
    result = runner.check_paths([file], settings, keep=True)
    result.lacks_project = False
    result.findings = [each for each in result.findings if _is_of_run(each, checks)]
    return result


def _is_of_run(finding: Finding, checks: Sequence[str]) -> bool:
    """Whether a finding is about what fails, or about what the checks of a run are on for."""
    if finding.severity is Severity.ERROR:
        return True
    return any(finding.code.startswith(of) and name in checks for of, name in _CHECKED.items())


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
        "records": options.record,
    }
    handle, report = tempfile.mkstemp(prefix="oakum-run-", suffix=".jsonl")
    os.close(handle)
    # Without `-P` a file of the current directory could take the place of a module of Python's.
    command = [sys.executable, "-P", "-m", "oakum", "--checked-run", report, json.dumps(given)]
    try:
        status = _wait(subprocess.Popen([*command, options.program, *options.arguments]))
        with open(report, encoding="utf-8", errors="replace") as stream:
            # The process may have been killed while it wrote a line.
            whole = [line for line in stream if line.endswith("\n")]
    finally:
        os.unlink(report)
    return _outcome(status, [json.loads(line) for line in whole])


def _wait(program: "subprocess.Popen[bytes]") -> int:
    """Waits for the end of a program, which gets the signals that would end this command."""
    before = signal.signal(signal.SIGTERM, lambda number, _: program.send_signal(number))
    try:
        while True:
            try:
                return program.wait()
            except KeyboardInterrupt:
                continue  # The program has got it too: it ends when it wants to.
    finally:
        signal.signal(signal.SIGTERM, before)


class _Line(TypedDict, total=False):
    """A line of what the program's process notes: what was found, or at the end what functions were
    called with, and the watched lines that were run.
    """

    found: dict[str, Any]
    calls: list[CalledFunction]
    lines: list[tuple[str, int, str, bool]]


def _outcome(status: int, lines: Sequence[_Line]) -> Outcome:
    seen = tuple(Found(**line["found"]) for line in lines if "found" in line)
    ends = [line["lines"] for line in lines if "lines" in line]
    run_lines = {
        (file, at): Visit(error, traced) for end in ends for file, at, error, traced in end
    }
    called = tuple(each for line in lines for each in line.get("calls", ()))
    # A shell says 128 and the signal of a program that a signal has ended.
    return Outcome(128 - status if status < 0 else status, seen, run_lines, called, bool(ends))


def _join(result: CheckResult, outcome: Outcome) -> None:
    """Adds what was found at run time to what was found in the source, and marks the latter."""
    rest: dict[tuple[str, int], list[Found]] = {}
    for each in outcome.seen:
        rest.setdefault((os.path.realpath(each.file), each.line), []).append(each)
    joined: list[Finding] = []
    for finding in result.findings:
        if finding.code.startswith("OAK0"):  # of the check itself
            joined.append(finding)
            continue
        place = (os.path.realpath(finding.location.file), finding.location.line)
        here = rest.get(place, [])
        same = next((each for each in here if each.code[:4] == finding.code[:4]), None)
        if same is not None:
            here.remove(same)
            note = f"confirmed at run time: {same.error}"
        else:
            note = _note(finding, outcome.lines.get(place))
        joined.append(replace(finding, notes=(*finding.notes, note)))
    joined += [_finding(each, result) for here in rest.values() for each in here]
    result.findings = sorted(joined, key=lambda each: (each.location, each.code))
    result.checked = max(result.checked, 1)


def _note(finding: Finding, visit: Visit | None) -> str:
    """Returns what a run says of a finding in the source; without a visit the line was not run."""
    if visit is None:
        return "not seen: this run did not reach the line"
    if visit.error:
        return f"confirmed at run time: {visit.error}, which the program caught"
    if finding.code.startswith(_OF_TRACES):
        if visit.traced:
            return "confirmed at run time: the line was run while a function was traced"
        return "not confirmed: no function was traced when the line was run"
    if finding.code in _COUNTED:
        return "not confirmed: the line was run, and did not go beyond the limit of compilations"
    if finding.code.startswith(_RAISING):
        return "not confirmed: the line was run, and nothing failed there"
    return "the line was run"


def _finding(seen: Found, result: CheckResult) -> Finding:
    """Returns a finding of a run, and has its line shown."""
    known = {os.path.realpath(each): each for each in result.texts}
    path = os.path.relpath(seen.file) if os.path.isabs(seen.file) else seen.file
    file = known.get(os.path.realpath(seen.file), path)
    column, end = 1, 1
    if seen.file and file not in result.texts and os.path.isfile(seen.file):
        with open(seen.file, encoding="utf-8", errors="replace") as stream:
            result.texts[file] = stream.read()
    lines = result.texts.get(file, "").splitlines()
    if 0 < seen.line <= len(lines):
        text = lines[seen.line - 1]
        column, end = len(text) - len(text.lstrip()) + 1, len(text.rstrip()) + 1
    message = seen.message.rstrip(".")
    severity = Severity.WARNING if any(map(seen.code.startswith, _CHECKED)) else Severity.ERROR
    headline = message if len(message) <= _HEADLINE else f"{message[: _HEADLINE - 3]}..."
    more = () if headline == message else (message,)
    how = "it ended the program" if seen.ended else "the program went on"
    place = Location(file or "<program>", max(seen.line, 1), column, max(seen.line, 1), end)
    return Finding(
        place,
        seen.code,
        seen.name,
        headline,
        seen.hint,
        severity,
        (Related(place, _MEANT[seen.code]),) if seen.code in _MEANT else (),
        notes=(*more, *(note.strip() for note in seen.notes), f"{seen.error} at run time: {how}"),
    )
