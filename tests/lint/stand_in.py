"""A stand-in for the analysis, so that the command and its parts are tested by themselves.

It makes one finding for each `BAD` in a text, so a test says in its source what is to be found.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from oakum.values import codes
from oakum_lint.text.finding import Confidence, Finding, Location, Related, Severity


@dataclass(frozen=True)
class StandInSource:
    """The part of a source that the runner reads."""

    text: str


@dataclass(frozen=True)
class StandInReport:
    """The part of a file's report that the runner reads."""

    path: Path
    source: StandInSource | None
    findings: tuple[Finding, ...]
    errors: tuple[Finding, ...] = ()
    is_named: bool = True


def finding_at(
    file: str,
    line: int,
    column: int,
    end_column: int,
    code: codes.Code = codes.TRACER_IN_BRANCH,
    *,
    end_line: int | None = None,
    confidence: Confidence = Confidence.PROVED,
    related: tuple[Related, ...] = (),
) -> Finding:
    """A finding as a rule would make it."""
    place = Location(file, line, column, end_line or line, end_column)
    severity, weak = Severity.ERROR, tuple[Related, ...]()
    if confidence is Confidence.LIKELY:
        severity, weak = Severity.WARNING, (Related(place, "the flag is not known"),)
    return Finding(
        place, code.code, code.name, f"{code.title}.", code.hint, severity, weak, related
    )


def stand_in_analyse(
    files: Sequence[Path],
    *,
    overlay: Mapping[Path, str] | None = None,
    cache: object = None,
    assumptions: object = None,
    seconds: float = 0,
    dependents: Sequence[Path] = (),
    import_roots: Sequence[Path] = (),
    index: object = None,
    jobs: int = 1,
    progress: object = None,
) -> Iterator[StandInReport]:
    """A finding for each `BAD`, `BAD204` (another code), `LIKELY` (a weak one), `INFORMATION` (one
    that may be meant). `CRASH` raises.
    """
    for path in files:
        text = (overlay or {}).get(path)
        if text is None:
            text = path.read_bytes().decode("utf-8", "replace")
        if "CRASH" in text:
            raise KeyError("body")
        findings: list[Finding] = []
        for number, line in enumerate(text.splitlines(), 1):
            code_part = line.partition("#")[0]
            for word, code in (("BAD204", codes.TRACER_TO_SCALAR), ("BAD", codes.TRACER_IN_BRANCH)):
                if word in code_part:
                    column = code_part.index(word) + 1
                    findings.append(finding_at(str(path), number, column, column + len(word), code))
                    break
            if "INFORMATION" in code_part:
                likely = finding_at(str(path), number, 1, 2, confidence=Confidence.LIKELY)
                findings.append(replace(likely, severity=Severity.INFORMATION))
            if "LIKELY" in code_part:
                findings.append(finding_at(str(path), number, 1, 2, confidence=Confidence.LIKELY))
        yield StandInReport(path, StandInSource(text), tuple(findings))
