"""Measures which share of random changes to the linter its fast tests notice.

    python benchmarks/lint_mutants.py [--count 60] [--seed 0] [-j 1] [--only FOLDER] [--record DIR]

One place of `lint/oakum_lint` is changed at a time (`lint_mutant_sites`: comparisons, conditions,
constants, results, statements, arguments), drawn by the seed from all places, so that each module
has its share. A first run notes which statements each plain test runs (`lint_mutant_tests`; some
minutes, kept in the folder of `--record`). A mutant is then tested by the tests that run its
statement, the shortest first, until one fails; what does not end in time is noticed, too. The table
has all mutants; those that survive stand below it with their change.

Some survivors do what the linter did before: whoever reads the list has to find out which.
"""

import argparse
import ast
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from lint_mutant_sites import Site, changed, sites_in
from lint_mutant_tests import RECORD, SELECT, instrument

ROOT = Path(__file__).resolve().parents[1]
LINTER = "lint/oakum_lint"
TESTS = ("tests/lint", "tests/lsp", "lint")
RULES = "rules/oak"
PAGES = "rules/page.py"
"""What a rule says of itself is read by what makes its page."""
SHORT_TESTS = 40
"""So many tests are run first: they notice most mutants, and to collect the files of all tests
takes longer than these run."""
SECONDS_AT_LEAST = 300.0
TIMES_AS_LONG = 10
"""A mutant has that long, or so many times what its tests took."""


@dataclass(frozen=True, slots=True)
class Record:
    """Which tests run each statement, by module and line, and how long each test takes."""

    numbers: dict[str, dict[int, int]]
    runs: dict[str, bytes]
    """The marks of each test; those of importing stand under ""."""
    seconds: dict[str, float]
    importers: dict[str, list[str]]
    """The modules that import each module."""

    def tests_of(self, site: Site) -> list[str]:
        """Returns the tests that run what is changed, the shortest first. What only importing
        runs is of concern to all that run something of the module, and of a rule to all that make
        its page; a module of tables alone runs nothing else: its facts are read by those that
        import it.
        """
        own = [self.numbers[site.file][site.line]]
        if self.runs[""][own[0]]:
            own = self._later(site.file)
            if site.file.startswith(RULES):
                own += self._later(PAGES)
        tests = self._running(own)
        if not tests:
            readers = self.importers.get(site.file, ())
            tests = self._running([each for reader in readers for each in self._later(reader)])
        return sorted(tests, key=lambda name: self.seconds[name])

    def _running(self, statements: Sequence[int]) -> list[str]:
        return [
            name
            for name, marks in self.runs.items()
            if name and any(marks[number] for number in statements)
        ]

    def _later(self, file: str) -> list[int]:
        """Returns the statements of a module that run after it has been imported."""
        imported = self.runs[""]
        return [number for number in self.numbers[file].values() if not imported[number]]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a mutant: the test that failed, or "" where it survives."""

    site: Site
    before: str
    killer: str
    tests: int
    seconds: float


def copy_to(folder: Path) -> None:
    """Copies what Git has, and what is new, to a folder."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    for name in filter(None, listed.stdout.decode().split("\0")):
        source, target = ROOT / name, folder / name
        if source.is_file():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target)


def environment(tree: Path, **more: str) -> dict[str, str]:
    """Returns the environment of tests in a copy."""
    paths = [tree / "engine", tree / "lint", tree / "lsp", ROOT / "benchmarks"]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, paths)), **more}


def take_record(folder: Path, jobs: int) -> None:
    """Runs the plain tests once on a copy with marks, and keeps what each of them runs."""
    folder.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as name:
        tree, raw = Path(name) / "tree", Path(name) / "raw"
        raw.mkdir()
        copy_to(tree)
        numbers = instrument(tree / LINTER)
        # Tests of the source fail on a copy with marks: what they run is noted, too.
        with (folder / "tests.log").open("w", encoding="utf-8") as log:
            command = ["pytest", "-q", f"-n{jobs}", "-p", "lint_mutant_tests", *TESTS]
            subprocess.run(
                [sys.executable, "-m", *command],
                cwd=tree,
                env=environment(tree, **{RECORD: str(raw)}),
                stdout=log,
                stderr=subprocess.STDOUT,
                check=False,
            )
        for path in raw.iterdir():
            shutil.move(path, folder / path.name)
    (folder / "numbers.json").write_text(json.dumps(numbers), encoding="utf-8")


def read_record(folder: Path) -> Record:
    """Reads what `take_record` has kept."""
    kept = json.loads((folder / "numbers.json").read_text(encoding="utf-8"))
    numbers = {file: {int(k): v for k, v in lines.items()} for file, lines in kept.items()}
    runs: dict[str, bytes] = {}
    seconds: dict[str, float] = {}
    for path in folder.iterdir():
        if path.suffix not in (".test", ".child"):
            continue
        head, _, packed = path.read_bytes().partition(b"\n")
        name, took = json.loads(head) if path.suffix == ".test" else (head.decode(), 0.0)
        marks = zlib.decompress(packed)
        if name in runs:
            marks = bytes(map(max, runs[name], marks))
        runs[name] = marks
        seconds[name] = seconds.get(name, 0.0) + took
    return Record(numbers, runs, seconds, importers_of(list(numbers)))


def importers_of(files: Sequence[str]) -> dict[str, list[str]]:
    """Returns which modules of the linter import each of them."""
    found: dict[str, list[str]] = {}
    for reader in files:
        tree = ast.parse((ROOT / LINTER / reader).read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("oakum_lint"):
                _, *parts = (node.module or "").split(".")
                package = "/".join(parts)
                names = [package, *(f"{package}/{name.name}".strip("/") for name in node.names)]
                for name in names:
                    found.setdefault(f"{name}.py", []).append(reader)
    return found


def all_sites(only: str) -> list[Site]:
    """Returns all places of the linter that can be changed."""
    sites: list[Site] = []
    for path in sorted((ROOT / LINTER).rglob("*.py")):
        name = str(path.relative_to(ROOT / LINTER))
        if name.startswith(only):
            sites += sites_in(name, path.read_text(encoding="utf-8"))
    return sites


class Tester:
    """Tests mutants, each in a copy of the project that is free."""

    def __init__(self, record: Record, trees: list[Path]) -> None:
        self._record = record
        self._free = trees

    def test(self, site: Site) -> Outcome:
        """Returns what becomes of a mutant."""
        tree = self._free.pop()
        path = tree / LINTER / site.file
        source, times = path.read_text(encoding="utf-8"), path.stat()
        before = source.encode()[site.start : site.end].decode()
        tests = self._record.tests_of(site)
        begin = time.monotonic()
        try:
            path.write_text(changed(source, site), encoding="utf-8")
            killer = self._killer(tree, tests[:SHORT_TESTS]) or self._killer(
                tree, tests[SHORT_TESTS:]
            )
        finally:
            path.write_text(source, encoding="utf-8")
            os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
            self._free.append(tree)
        return Outcome(site, before, killer, len(tests), time.monotonic() - begin)

    def _killer(self, tree: Path, tests: Sequence[str]) -> str:
        """Returns the first of some tests that fails, or "" where none does."""
        if not tests:
            return ""
        limit = SECONDS_AT_LEAST + TIMES_AS_LONG * sum(map(self._record.seconds.__getitem__, tests))
        selection = tree / "selection.json"
        selection.write_text(json.dumps(tests), encoding="utf-8")
        files = sorted({test.partition("::")[0] for test in tests})
        options = ["-q", "-x", "-n0", "--tb=no", "-rfE", "-p", "lint_mutant_tests"]
        with subprocess.Popen(
            [sys.executable, "-m", "pytest", *options, *files],
            cwd=tree,
            env=environment(tree, **{SELECT: str(selection)}),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        ) as process:
            try:
                output, _ = process.communicate(timeout=limit)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                return "time"
        if process.returncode in (0, 5):
            return ""
        failed = [line for line in output.splitlines() if line.startswith(("FAILED", "ERROR"))]
        return failed[0].split(" - ")[0].partition(" ")[2] if failed else "start"


def table(outcomes: Sequence[Outcome]) -> str:
    """Returns the table of all mutants, and the changes of those that survive."""
    survivors = [outcome for outcome in outcomes if not outcome.killer]
    share = 1 - len(survivors) / len(outcomes)
    lines = [
        f"{len(outcomes) - len(survivors)} of {len(outcomes)} noticed: {share:.0%}",
        "",
        "| place | change | tests | noticed by | s |",
        "|---|---|---|---|---|",
    ]
    for each in outcomes:
        site = each.site
        lines.append(
            f"| {site.file}:{site.line} | {site.operator} | {each.tests} | "
            f"{each.killer or '**nothing**'} | {each.seconds:.0f} |"
        )
    for each in survivors:
        lines += ["", f"{each.site.file}:{each.site.line}: {each.site.operator}"]
        lines += [f"- {line}" for line in each.before.splitlines()]
        lines += [f"+ {line}" for line in each.site.text.splitlines()]
    return "\n".join(lines)


def main() -> None:
    """Runs the command."""
    parser = argparse.ArgumentParser(description="Measures the tests of the linter.")
    parser.add_argument("--count", type=int, default=60, help="how many mutants")
    parser.add_argument("--seed", type=int, default=0, help="which ones")
    parser.add_argument("-j", "--jobs", type=int, default=1, help="how many beside each other")
    parser.add_argument("--only", default="", help="a folder or file of the linter")
    parser.add_argument("--record", type=Path, help="the folder of what each test runs")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="lint-mutants-") as name:
        folder = options.record or Path(name) / "record"
        if not folder.exists():
            take_record(folder, options.jobs)
        record = read_record(folder)
        sites = random.Random(options.seed).sample(all_sites(options.only), options.count)
        trees = [Path(name) / f"tree{number}" for number in range(options.jobs)]
        for tree in trees:
            copy_to(tree)
            command = [sys.executable, "-m", "compileall", "-q", "engine", "lint", "lsp"]
            subprocess.run(command, cwd=tree, check=False)
        tester = Tester(record, trees)
        outcomes: list[Outcome] = []
        with ThreadPoolExecutor(options.jobs) as pool:
            for outcome in pool.map(tester.test, sites):
                outcomes.append(outcome)
                site = outcome.site
                place = f"{site.file}:{site.line} {site.operator}"
                cost = f"{outcome.tests} tests, {outcome.seconds:.0f} s"
                result = outcome.killer or "SURVIVES"
                print(f"{len(outcomes)}: {place}: {result} ({cost})", file=sys.stderr, flush=True)
    print(table(outcomes))


if __name__ == "__main__":
    main()
