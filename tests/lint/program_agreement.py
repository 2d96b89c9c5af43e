"""Compares what the linter says of a random program with what the engine does with it."""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from program_decisions import (
    with_called,
    with_numbers_known,
    with_shapes_known,
    with_tests_decided,
)
from program_lines import RandomProgram
from program_runs import Outcome, Place, run

from oakum_lint.app.analysis import analyse
from oakum_lint.rules import RULES
from oakum_lint.syntax.cache import UnitCache
from oakum_lint.text.finding import Confidence, Finding, Severity

ROUNDS = 16
"""As often a program is run again at most, with the lines fixed that raised."""

BEHIND_TEST = "behind a test that only a run decides"
BEHIND_NUMBER = "behind a number that only a run knows"
BEHIND_SHAPE = "behind a shape that the linter does not know"
COVERED = frozenset(rule.code.code for rule in RULES)
LEAKS = frozenset({"OAK101", "OAK102", "OAK103", "OAK104", "OAK106"})
RAISING = frozenset(
    rule.code.code for rule in RULES if not rule.silent and rule.severity is Severity.ERROR
)
"""Codes of errors: where a finding has one of them, the engine raises, or a leak ends the trace."""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One thing that the linter and the engine see differently. `reason` explains it, or is ""."""

    kind: str
    line: int
    code: str
    reason: str
    detail: str
    source: str
    """The program, with the lines fixed that had raised before."""


def disagreements(program: RandomProgram, directory: Path) -> list[Disagreement]:
    """What the two do not agree on.

    The program is linted and run, what raised is fixed, and so on until nothing new raises: so
    what stands behind a mistake is seen too. Each text has a file of its own, as the engine keeps
    what it reads of one.
    """
    found: list[Disagreement] = []
    repaired: frozenset[int] = frozenset()
    whole = Outcome()
    proved: dict[Place, Finding] = {}
    for _ in range(ROUNDS):
        source = program.repaired(repaired)
        path = directory / f"random_{next(_numbers)}.py"
        findings = _lint(source, path)
        outcome = run(source, path)
        found += _failures(findings, source)
        missed = _missed(outcome, findings, source)
        found += _explained(missed, outcome, source, path)
        path.unlink()
        whole.raised |= outcome.raised
        whole.reached += outcome.reached
        whole.leaks += outcome.leaks
        now = _of(findings, Confidence.PROVED)
        proved = proved or now
        lines = {line for line, _ in outcome.raised if line > 0}
        for finding in findings:
            if finding.code in LEAKS and finding.location.line in outcome.leaked:
                lines |= _stores(program, finding)
        new = {n for n in lines - repaired if program.replacement(n) is not None}
        if not new:
            found += _unconfirmed(whole, proved, now, source)
            break
        repaired |= new
    return found


def _stores(program: RandomProgram, finding: Finding) -> set[int]:
    """The line of a leak that can be fixed: of the store, or of the call that led to it."""
    places = [finding.location, *(related.location for related in finding.related)]
    replacements = {place.line: program.replacement(place.line) for place in places}
    return {
        line
        for line, replacement in replacements.items()
        if replacement is not None and replacement.strip() == "pass"
    }


def _explained(
    missed: list[Disagreement], outcome: Outcome, source: str, path: Path
) -> list[Disagreement]:
    """The same with the reason of those that no longer are once what a run decided is written into
    the program.
    """
    decided = [source]
    for reason in (BEHIND_TEST, BEHIND_NUMBER, BEHIND_SHAPE):
        lines = {each.line for each in missed if not each.reason}
        if not lines:
            break
        if reason is BEHIND_TEST:
            reached = frozenset[int]().union(*outcome.reached)
            decided = [with_tests_decided(each, reached) for each in decided]
        elif reason is BEHIND_NUMBER:
            decided = [
                made
                for each in decided
                for where in (lines, with_called(each, lines))
                for made in with_numbers_known(each, where, path)
            ]
        else:
            decided = [made for each in decided for made in with_shapes_known(each, lines, path)]
        left = {(each.line, each.code, each.detail) for each in missed}
        for each in decided:
            still = _missed(outcome, _lint(each, path), source)
            left &= {(each.line, each.code, each.detail) for each in still if not each.reason}
        missed = [
            each
            if each.reason or (each.line, each.code, each.detail) in left
            else replace(each, reason=reason)
            for each in missed
        ]
    return missed


_numbers = itertools.count()
_units = UnitCache()


def _lint(source: str, path: Path) -> tuple[Finding, ...]:
    path.write_text(source, encoding="utf-8")
    return next(iter(analyse([path], cache=_units))).findings


def _of(findings: Sequence[Finding], confidence: Confidence) -> dict[Place, Finding]:
    return {(f.location.line, f.code): f for f in findings if f.confidence is confidence}


def _failures(findings: Sequence[Finding], source: str) -> list[Disagreement]:
    """Where the linter itself failed."""
    return [
        Disagreement("failed", f.location.line, f.code, "", f.message, source)
        for f in findings
        if f.code.startswith("OAK0")
    ]


def _missed(outcome: Outcome, findings: Sequence[Finding], source: str) -> list[Disagreement]:
    """Errors without a finding of their code at their line, and statements that leak and on none of
    whose lines a leak was found.
    """
    proved, likely = (_of(findings, c) for c in (Confidence.PROVED, Confidence.LIKELY))
    found = [
        Disagreement("missed", line, code, "likely" if (line, code) in likely else "", text, source)
        for (line, code), text in outcome.raised.items()
        if code is not None and code in COVERED and (line, code) not in proved
    ]
    stores, maybe = ({line for line, code in of if code in LEAKS} for of in (proved, likely))
    for lines, text in outcome.leaks:
        if lines.isdisjoint(stores):
            reason = "" if lines.isdisjoint(maybe) else "likely"
            found.append(Disagreement("missed", 0, "leak", reason, text, source))
    return found


def _unconfirmed(
    outcome: Outcome, first: Mapping[Place, Finding], last: Mapping[Place, Finding], source: str
) -> list[Disagreement]:
    """Findings of errors that the engine did not raise, in the program as it was `first` and as it
    was `last`, when all was fixed.
    """
    found: list[Disagreement] = []
    stopped = {line for line, _ in outcome.raised}
    for (line, code), finding in {**first, **last}.items():
        if code is None or code not in RAISING:
            continue
        uncoded = outcome.raised.get((line, None), "")
        confirmed = (line, code) in outcome.raised or (
            uncoded != ""
            and ("Tracer" in uncoded or uncoded.split(":")[0] in " ".join(finding.notes))
        )
        if confirmed or (code in LEAKS and line in outcome.leaked):
            continue
        chain = {place.location.line for place in finding.related} | {line}
        reason = ""
        if not any(chain <= reached for reached in outcome.reached):
            reason = "not reached"
        elif line in stopped:
            reason = "behind another error of its line"
        elif (line, code) not in last:
            reason = "its operands were fixed"
        found.append(Disagreement("unconfirmed", line, code, reason, finding.message, source))
    return found
