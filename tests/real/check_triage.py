"""Compares the findings on checked-out public repositories with their triage.

    python tests/real/check_triage.py CHECKOUTS [--triage FILE] [--only OWNER/NAME ...]

CHECKOUTS is a folder with one folder for each repository, named `owner+name`, at the commits that
`repositories.json` lists. Printed are findings that the triage does not have, and triaged ones that
are no longer found. The exit code is 0 if there are none, 1 if there are some, and 2 if the
comparison could not be made.
"""

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import Any, cast

from oakum_lint.app.analysis import analyse

TRIAGE = Path(__file__).with_name("triage.json")
REPOSITORIES = Path(__file__).with_name("repositories.json")
VERDICTS = ("true", "false", "harmless")
LEFT_OUT = (
    *("*_test.py", "test_*.py", "*/tests/*", "*/test/*", "*/testing/*", "*/test_util*"),
    *("*_test_util*.py", "conftest.py", "*/conftest.py", "setup.py", "*/setup.py"),
    *("versioneer.py", "*/_version.py", "*/docs/conf.py"),
)
"""Tests and packaging, by paths relative to the repository: they are not part of the triage."""


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """What identifies a finding from one version of the linter to the next."""

    repository: str
    file: str
    line: int
    code: str
    confidence: str

    def __str__(self) -> str:
        return f"{self.repository} {self.file}:{self.line}: {self.code} {self.confidence}"


def read_triage(path: Path) -> dict[Place, str]:
    """The verdict on each triaged finding.

    Raises ValueError where an entry is not complete or a verdict is none of `VERDICTS`.
    """
    content: Any = json.loads(path.read_text(encoding="utf-8"))
    verdicts: dict[Place, str] = {}
    for entry in cast(list[dict[str, Any]], content):
        try:
            place = Place(
                entry["repo"], entry["file"], entry["line"], entry["code"], entry["confidence"]
            )
            verdict, reason = entry["verdict"], entry["reason"]
        except KeyError as error:
            raise ValueError(f"{path}: an entry has no {error}") from error
        if verdict not in VERDICTS or not reason:
            raise ValueError(f"{path}: no verdict with a reason on {place}")
        verdicts[place] = verdict
    return verdicts


def read_paths(path: Path) -> dict[str, tuple[list[str], list[str]]]:
    """The paths of each repository that the triage is about, and the patterns of what it is not."""
    content: Any = json.loads(path.read_text(encoding="utf-8"))
    return {
        entry["repo"]: (entry["paths"], entry["exclude"])
        for entry in cast(list[dict[str, Any]], content)
    }


def python_files(root: Path, paths: Sequence[str], exclude: Sequence[str]) -> list[Path]:
    """The Python files of a checkout that the triage is about."""
    found: set[Path] = set()
    for path in (root / path for path in paths):
        found.update([path] if path.is_file() else path.rglob("*.py"))
    patterns = (*LEFT_OUT, *exclude)
    return [
        file
        for file in sorted(found)
        if not any(fnmatch(file.relative_to(root).as_posix(), pattern) for pattern in patterns)
    ]


def find(root: Path, repository: str, files: Sequence[Path]) -> set[Place]:
    """The findings on one checkout, whose files are analysed together."""
    found: set[Place] = set()
    for report in analyse(files):
        file = report.path.relative_to(root).as_posix()
        for finding in report.findings:
            place = finding.location.line, finding.code, finding.confidence.value
            found.add(Place(repository, file, *place))
    return found


def compare(checkouts: Iterable[Path], triage: dict[Place, str]) -> list[str]:
    """What differs between the findings on some checkouts and their triage, one line for each."""
    paths = read_paths(REPOSITORIES)
    differences: list[str] = []
    for root in checkouts:
        repository = root.name.replace("+", "/", 1)
        known = {place for place in triage if place.repository == repository}
        found = find(root, repository, python_files(root, *paths.get(repository, (["."], []))))
        differences += [f"new: {place}" for place in sorted(found - known)]
        differences += [f"gone: {place} (was {triage[place]})" for place in sorted(known - found)]
    return differences


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the comparison; returns the exit code."""
    parser = argparse.ArgumentParser(
        description="Compares the findings on public repositories with their triage."
    )
    parser.add_argument("checkouts", type=Path, help="a folder of folders named owner+name")
    parser.add_argument("--triage", type=Path, default=TRIAGE, help="the triage to compare with")
    parser.add_argument("--only", nargs="+", metavar="OWNER/NAME", help="check these alone")
    options = parser.parse_args(arguments)
    try:
        triage = read_triage(options.triage)
        folders = sorted(path for path in options.checkouts.iterdir() if path.is_dir())
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    wanted = options.only or [
        path.name.replace("+", "/", 1) for path in folders if "+" in path.name
    ]
    chosen = [path for path in folders if path.name.replace("+", "/", 1) in wanted]
    if len(chosen) < len(wanted) or not chosen:
        print(f"{options.checkouts}: not all checkouts are there", file=sys.stderr)
        return 2
    differences = compare(chosen, triage)
    for difference in differences:
        print(difference)
    print(f"{len(chosen)} repositories, {len(differences)} differences")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
