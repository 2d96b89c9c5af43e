"""What a run of a program has shown, as findings: those that were seen, and what became of those
that the analysis had made.

Invariants:
- A finding of the analysis is never dropped: it is confirmed, or it says that it was not met.
- What the program raised and went on from is likely, not proved: it may have been expected.
"""

import ast
import json
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from oakum.values import codes
from oakum.values.records import dataclass, replace
from oakum_lint.app.check_result import CheckResult
from oakum_lint.text.finding import Confidence, Finding, Location, Severity

_STORED = re.compile(r"stored on line (.+):(\d+) \(")
"""The line that a leak's sentence names, which is what there is to correct."""
_LEAK = "OAK10"
"""All leaks have one code at run time, and one for each kind of holder in the analysis."""
_CONFIRMED = "confirmed at run time: the program did this in this run"


@dataclass(frozen=True, slots=True)
class Record:
    """Something that went wrong in a program: its code, the place, and what the engine said."""

    code: str
    kind: str
    raised: bool
    file: str
    line: int
    span: tuple[int, int, int, int] | None
    sentence: str
    operands: str
    hint: str


@dataclass(frozen=True, slots=True)
class Run:
    """What a run has shown: what went wrong, and the functions that were traced to their end."""

    records: tuple[Record, ...]
    traced: frozenset[tuple[str, int]]


def read(path: str) -> Run:
    """The run that the engine has written down in a file."""
    found: dict[tuple[str, str, int], Record] = {}
    traced: set[tuple[str, int]] = set()
    with open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            entry = json.loads(line)
            if "traced" in entry:
                traced.add((os.path.realpath(entry["file"]), entry["line"]))
                continue
            span = entry.pop("span")
            record = Record(**entry, span=None if span is None else (*span,))
            stored = _STORED.search(record.sentence)
            if stored is not None:
                place = {"file": stored[1], "line": int(stored[2]), "span": None}
                record = replace(record, **place)
            # The last is the one in the words of the user's own call.
            found[record.code, record.file, record.line] = record
    return Run(tuple(found.values()), frozenset(traced))


def merge(result: CheckResult, run: Run, *, has_failed: bool) -> None:
    """Puts what a run has shown into the result of the analysis; `has_failed` says whether an error
    may have ended the program.
    """
    waiting = list(run.records)
    merged: list[Finding] = []
    for finding in result.findings:
        same = [record for record in waiting if _is_same(finding, record)]
        waiting = [record for record in waiting if record not in same]
        if same:
            notes = (*finding.notes, _CONFIRMED)
            merged.append(replace(finding, notes=notes, confidence=Confidence.PROVED))
        elif (name := _traced_around(finding, run, result.texts)) is not None:
            note = f"not met at run time: `{name}` was traced to its end in this run"
            merged.append(replace(finding, notes=(*finding.notes, note)))
        else:
            merged.append(finding)
    last = next((record for record in reversed(run.records) if record.raised), None)
    for record in waiting:
        is_end = not record.raised or (has_failed and record is last)
        merged.append(_finding(record, result, is_certain=is_end))
    result.findings = sorted(merged)
    result.statistics.clear()
    result.statistics.update(finding.code for finding in merged)


def _is_same(finding: Finding, record: Record) -> bool:
    place = finding.location
    leaks = finding.code.startswith(_LEAK) and record.code.startswith(_LEAK)
    return (
        (finding.code == record.code or leaks)
        and place.line <= record.line <= place.end_line
        and os.path.realpath(place.file) == os.path.realpath(record.file)
    )


def _traced_around(finding: Finding, run: Run, texts: dict[str, str]) -> str | None:
    """The innermost function around a finding that was traced to its end; None if none was."""
    place = finding.location
    try:
        tree = ast.parse(texts.get(place.file, ""))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    real = os.path.realpath(place.file)
    around = [each for each in _functions(tree) if each[1] <= place.line <= each[2]]
    for name, start, _ in sorted(around, key=lambda each: -each[1]):
        if (real, start) in run.traced:
            return name
    return None


def _functions(tree: ast.Module) -> Iterator[tuple[str, int, int]]:
    """The functions of a module: name, first line (of a decorator, if it has one), last line."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            starts = [node.lineno, *(each.lineno for each in node.decorator_list)]
            yield node.name, min(starts), node.end_lineno or node.lineno


def _finding(record: Record, result: CheckResult, *, is_certain: bool) -> Finding:
    file = _shown(record.file, result.texts)
    lines = _lines(file, result)
    known = codes.find(record.code)
    first, *rest = record.sentence.splitlines() or [""]
    head, _, tail = first.partition(". ")
    notes = [each.strip() for each in (tail, *rest, record.operands) if each.strip()]
    went_on = record.raised and not is_certain
    notes.append(
        f"seen at run time: {record.kind} was raised, and the program went on"
        if went_on
        else "seen at run time"
    )
    return Finding(
        _location(record, file, lines),
        record.code,
        "" if known is None else known.name,
        head,
        record.hint,
        Severity.ERROR,
        Confidence.PROVED if is_certain else Confidence.LIKELY,
        notes=tuple(notes),
    )


def _shown(file: str, texts: Iterable[str]) -> str:
    """The name of a file as the other findings have it, else from the working directory."""
    real = os.path.realpath(file)
    for each in texts:
        if os.path.realpath(each) == real:
            return each
    near = os.path.relpath(real)
    return file if near.startswith("..") else near


def _lines(file: str, result: CheckResult) -> Sequence[str]:
    if file not in result.texts:
        from oakum_lint.text.source import Source, read_source

        source = read_source(Path(file))
        result.texts[file] = source.text if isinstance(source, Source) else ""
    return result.texts[file].splitlines()


def _location(record: Record, file: str, lines: Sequence[str]) -> Location:
    if not 0 < record.line <= len(lines):
        return Location(file, max(record.line, 1), 1, max(record.line, 1), 1)
    if record.span is None:
        text = lines[record.line - 1]
        start = len(text) - len(text.lstrip()) + 1
        return Location(file, record.line, start, record.line, len(text.rstrip()) + 1)
    line, column, end, end_column = record.span
    if end > len(lines):
        return Location(file, line, 1, line, 1)
    return Location(file, line, _point(lines, line, column), end, _point(lines, end, end_column))


def _point(lines: Sequence[str], line: int, column: int) -> int:
    """A column in code points, from 1, of one in bytes, from 0."""
    return len(lines[line - 1].encode()[:column].decode(errors="replace")) + 1
