"""Projects of several files, in `projects/`, with bugs whose evidence lies in several of them.

A project is a text. `=== PATH` begins a file; a line behind `-|` belongs to the project with its
bugs alone, one behind `+|` to its twin without them. A bug is the line that ends with
`#! CODES @ FILES`: one of the codes has to be found there, and the files are those that hold the
rest of the evidence.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path

FOLDER = Path(__file__).parent / "projects"

_MARK = re.compile(r"\s*#! (?P<codes>[A-Z0-9,]+) @ (?P<files>.+)$")


@dataclass(frozen=True)
class Bug:
    """A line that has to be found."""

    file: str
    line: int
    codes: frozenset[str]
    evidence: tuple[str, ...]


@dataclass
class Project:
    """A project with its bugs, and its twin without them."""

    broken: dict[str, str] = field(default_factory=dict[str, str])
    right: dict[str, str] = field(default_factory=dict[str, str])
    bugs: list[Bug] = field(default_factory=list[Bug])


def projects() -> list[str]:
    """The names of all projects."""
    return sorted(file.stem for file in FOLDER.glob("*.txt"))


def read_project(name: str) -> Project:
    """Reads a project."""
    project = Project()
    path = ""
    broken: list[str] = []
    right: list[str] = []

    def end_file() -> None:
        if path:
            project.broken[path] = "".join(f"{line}\n" for line in broken)
            project.right[path] = "".join(f"{line}\n" for line in right)

    for text in (FOLDER / f"{name}.txt").read_text().splitlines():
        if text.startswith("=== "):
            end_file()
            path = text.removeprefix("=== ")
            broken, right = [], []
            continue
        if text.startswith("+|"):
            right.append(text.removeprefix("+|"))
            continue
        line = text.removeprefix("-|")
        mark = _MARK.search(line)
        if mark is not None:
            line = line[: mark.start()]
            codes, files = mark["codes"].split(","), mark["files"].split(", ")
            project.bugs.append(Bug(path, len(broken) + 1, frozenset(codes), tuple(files)))
        broken.append(line)
        if not text.startswith("-|"):
            right.append(line)
    end_file()
    for bug in project.bugs:
        assert set(bug.evidence) <= project.broken.keys() - {bug.file}, bug
    return project
