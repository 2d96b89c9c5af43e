"""Reads the labelled programs: what each should be reported for, and what it raises."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from oakum_lint.text.finding import Finding

PROGRAMS = Path(__file__).parent.parent / "programs"

# Programs that the analysis does not judge rightly, each with the reason. An entry that no longer
# fails fails the suite, so the list can only shrink.
KNOWN_LIMITS: dict[str, str] = {
    "generator_send": "what `send` gives a generator is not followed into its body",
}
_CATEGORY = re.compile(r"# category: (?:(clean|silent)/)?(\S+)")
_MARK = re.compile(r"#(?P<sign>[!|?]) (?P<code>OAK\d{3})(?: (?P<column>\d+))?")
_RAISED = re.compile(r"#~ (\w+)")


@dataclass(frozen=True, slots=True, order=True)
class Mark:
    """An expected finding; `column` is None where the program leaves it open."""

    file: str
    line: int
    code: str
    column: int | None = None


@dataclass(frozen=True, slots=True)
class Program:
    """One labelled program: a file, or a folder whose entry is `main.py`.

    `required` must all be reported, of `either` at least one, `allowed` may be; nothing else.
    `raised` holds the lines where the run-time error surfaces, `exception` its class.
    """

    name: str
    main: Path
    files: tuple[Path, ...]
    kind: Literal["error", "silent", "clean"]
    category: str
    required: tuple[Mark, ...]
    either: tuple[Mark, ...]
    allowed: tuple[Mark, ...]
    raised: frozenset[tuple[str, int]]
    exception: str | None

    def imports(self, package: str) -> bool:
        """Tells whether a file of the program imports the package."""
        pattern = re.compile(rf"^\s*(?:import|from) {package}\b", re.MULTILINE)
        return any(pattern.search(file.read_text(encoding="utf-8")) for file in self.files)


def read_program(path: Path) -> Program:
    """Reads one program and its expectation comments."""
    main = path / "main.py" if path.is_dir() else path
    files = tuple(sorted(path.glob("*.py"))) if path.is_dir() else (path,)
    header = _CATEGORY.match(main.read_text(encoding="utf-8"))
    if header is None:
        raise ValueError(f"{main} does not begin with a category comment")
    marks: dict[str, list[Mark]] = {"!": [], "|": [], "?": []}
    raised: set[tuple[str, int]] = set()
    exceptions: set[str] = set()
    for file in files:
        for number, text in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            for match in _MARK.finditer(text):
                column = int(match["column"]) if match["column"] else None
                marks[match["sign"]].append(Mark(str(file), number, match["code"], column))
            for match in _RAISED.finditer(text):
                raised.add((str(file), number))
                exceptions.add(match[1])
    if len(exceptions) > 1:
        raise ValueError(f"{path} names several exceptions")
    kind = header[1] or "error"
    return Program(
        name=path.stem,
        main=main,
        files=files,
        kind="clean" if kind == "clean" else "silent" if kind == "silent" else "error",
        category=header[2],
        required=tuple(marks["!"]),
        either=tuple(marks["|"]),
        allowed=tuple(marks["?"]),
        raised=frozenset(raised),
        exception=exceptions.pop() if exceptions else None,
    )


def read_programs() -> list[Program]:
    """Reads all programs, by name."""
    paths = [
        path
        for path in sorted(PROGRAMS.iterdir())
        if path.suffix == ".py" or (path / "main.py").is_file()
    ]
    return [read_program(path) for path in paths]


def misjudged(program: Program, findings: Sequence[Finding]) -> tuple[list[Mark], list[str]]:
    """The marks of a program for which nothing is found, and what is found without a mark."""
    missed = [mark for mark in program.required if not any(_covers(mark, f) for f in findings)]
    if program.either and not any(_covers(m, f) for m in program.either for f in findings):
        missed.extend(program.either)
    known = (*program.required, *program.either, *program.allowed)
    false = [
        f"{f.location.file}:{f.location.line}:{f.location.column}: {f.code} {f.message}"
        for f in findings
        if not any(_covers(mark, f) for mark in known)
    ]
    return missed, false


def _covers(mark: Mark, finding: Finding) -> bool:
    place = finding.location
    return (
        (mark.file, mark.line, mark.code) == (place.file, place.line, finding.code)
        and mark.column in (None, place.column)
    )  # fmt: skip
