"""Checks what `oakum check` makes of notebooks, against a reading of the files of its own.

    python benchmarks/lint_notebooks.py FOLDER... [--ipython PYTHON] [--record FILE] [--limit S]

Each notebook is printed when it is done, with what is wrong. A copy of it gets one more line in
each of its cells of Python, with a finding that has a fix. Counted are:

- syntax errors that are none: IPython of the named interpreter compiles the same cells;
- lines of which the finding is missing, or is not at its cell, line and column;
- notebooks of which `--fix --unsafe-fixes` changes a byte outside the sources of code cells, a line
  without a finding, the indentation, or the way in which a line is escaped;
- notebooks that a second `--fix` changes again.

The same is done with the notebooks as they are, without the added lines.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
LINE = "import jax as jax_, numpy as np_; jax_.jit(lambda x: np_.sin(x))(1.0)"
CALL = "np_.sin(x)"
CODE = "OAK208"
NO_PYTHON = re.compile(r"\s*%%(?!time\b|timeit\b|capture\b|prun\b)")
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+')
ELSEWHERE = re.compile(r"line (\d+) of cell (\d+)")
OPTIONS = ("--isolated", "--exit-zero", "--all-places")
COMPILES = """
import ast, json, sys
from IPython.core.inputtransformer2 import TransformerManager
flags = ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
for line in sys.stdin:
    try:
        compile(TransformerManager().transform_cell(json.loads(line)), "cell", "exec", flags)
        print("yes")
    except (SyntaxError, ValueError) as error:
        print(f"no: {error}")
"""


@dataclass(slots=True)
class Counts:
    """What is found in a list of notebooks, and what is wrong, with its notebook."""

    numbers: Counter[str] = field(default_factory=Counter[str])
    faults: list[str] = field(default_factory=list[str])

    def fault(self, kind: str, place: str, detail: str = "") -> None:
        self.numbers[kind] += 1
        self.faults.append(f"{kind}: {place}{': ' if detail else ''}{detail}")


def main() -> None:
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--ipython", default=sys.executable, help="a Python that has IPython")
    parser.add_argument("--record", type=Path, help="where the faults are written, one a line")
    parser.add_argument("--limit", type=float, default=120.0, help="seconds for each run of oakum")
    options = parser.parse_args()
    counts = Counts()
    for folder in options.folders:
        for file in sorted(folder.rglob("*.ipynb")):
            begun, known = time.monotonic(), len(counts.faults)
            try:
                check_notebook(file, options.ipython, options.limit, counts)
            except subprocess.TimeoutExpired:
                counts.fault("not finished within the limit", file.name)
            print(f"{time.monotonic() - begun:6.1f} s  {file.relative_to(folder)}", flush=True)
            for fault in counts.faults[known:]:
                print(f"          {fault}", flush=True)
                if options.record is not None:
                    with options.record.open("a") as record:
                        record.write(f"{fault}\n")
    for kind, count in counts.numbers.items():
        print(f"{count:7} {kind}")


def check_notebook(file: Path, ipython: str, limit: float, counts: Counts) -> None:
    """Checks a notebook, alone in a project, as it is, and then with the added lines."""
    with tempfile.TemporaryDirectory() as kept:
        root = Path(kept)
        (root / "pyproject.toml").touch()
        project = Project(root, root / file.name, limit)
        raw = file.read_bytes().decode("utf-8")
        counts.numbers["notebooks"] += 1
        project.write(raw)
        found = project.report()
        check_syntax(found, sources_of(raw), file.name, ipython, counts)
        check_fixed(project, raw, found, counts)
        raw, expected = with_lines(raw)
        project.write(raw)
        found = project.report()
        if any(each["code"] == "OAK001" for each in found):
            counts.numbers["not analysed (OAK001)"] += 1
        else:
            check_places(found, expected, file.name, counts)
        check_fixed(project, raw, found, counts)


@dataclass(frozen=True, slots=True)
class Project:
    """A folder with one notebook, which oakum checks."""

    root: Path
    file: Path
    limit: float

    def read(self) -> str:
        return self.file.read_bytes().decode("utf-8")

    def write(self, text: str) -> None:
        self.file.write_bytes(text.encode("utf-8"))

    def report(self) -> list[dict[str, Any]]:
        """What is found in the notebook."""
        lines = self.run("--output-format", "json-lines").splitlines()
        return [json.loads(line) for line in lines]

    def run(self, *options: str) -> str:
        """What a run prints."""
        path = os.pathsep.join(str(ROOT / part) for part in ("engine", "lint", "lsp"))
        done = subprocess.run(
            [sys.executable, "-m", "oakum_lint", "check", *OPTIONS, *options, "."],
            cwd=self.root,
            env={**os.environ, "PYTHONPATH": path},
            capture_output=True,
            text=True,
            timeout=self.limit,
        )
        if done.returncode not in (0, 2):  # 2: not all was analysed
            raise SystemExit(f"{self.file.name}\n{done.stderr}")
        return done.stdout


def sources_of(raw: str) -> dict[int, str]:
    """The source of each code cell, by its number among all cells."""
    cells = enumerate(json.loads(raw)["cells"], 1)
    return {n: "".join(cell["source"]) for n, cell in cells if cell["cell_type"] == "code"}


def with_lines(raw: str) -> tuple[str, set[tuple[int, int, int]]]:
    """The notebook with the added lines, and their findings' cells, lines and columns."""
    table = json.loads(raw)
    expected: set[tuple[int, int, int]] = set()
    for number, source in sources_of(raw).items():
        if NO_PYTHON.match(source) or not source.strip():
            continue
        lines = [*source.removesuffix("\n").split("\n"), LINE]
        table["cells"][number - 1]["source"] = [f"{line}\n" for line in lines[:-1]] + [LINE]
        expected.add((number, len(lines), LINE.index(CALL) + 1))
    indent = re.match(r"\{\n( +)", raw)
    width = len(indent[1]) if indent else None
    text = json.dumps(table, indent=width, ensure_ascii="\\u" in raw)
    return text + ("\n" if raw.endswith("\n") else ""), expected


def check_places(
    found: Sequence[dict[str, Any]],
    expected: set[tuple[int, int, int]],
    name: str,
    counts: Counts,
) -> None:
    """Counts the added lines without a finding, and the findings that are not there."""
    got = {
        (each["cell"], each["line"], each["column"])
        for each in found
        if each["code"] == CODE and "np_.sin" in each["message"]
    }
    counts.numbers["added lines"] += len(expected)
    for place in sorted(expected - got):
        counts.fault("added lines without their finding", name, f"cell {place}")
    for place in sorted(got - expected):
        counts.fault("findings at a wrong place", name, f"cell {place}")


def check_syntax(
    found: Sequence[dict[str, Any]],
    sources: dict[int, str],
    name: str,
    ipython: str,
    counts: Counts,
) -> None:
    """Counts the syntax errors in cells that IPython compiles."""
    errors = [each for each in found if each["code"] == "OAK001"]
    if not errors:
        return
    asked = "".join(f"{json.dumps(sources[each['cell']])}\n" for each in errors)
    answers = subprocess.run(
        [ipython, "-c", COMPILES], input=asked, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    for error, answer in zip(errors, answers, strict=True):
        place = f"{name}: cell {error['cell']}:{error['line']}: {error['message']}"
        if answer == "yes":
            counts.fault("false syntax errors", place)
        else:
            counts.fault("true syntax errors", place, answer)


def check_fixed(
    project: Project, raw: str, found: Sequence[dict[str, Any]], counts: Counts
) -> None:
    """Fixes the notebook twice, and counts what changes and should not."""
    project.run("--fix", "--unsafe-fixes")
    after = project.read()
    compare(raw, after, found, project.file.name, counts)
    project.run("--fix", "--unsafe-fixes")
    if project.read() != after:
        counts.fault("changed by a second --fix", project.file.name)


def compare(
    raw: str, after: str, found: Sequence[dict[str, Any]], name: str, counts: Counts
) -> None:
    """Compares a notebook before and after its fixes."""
    before_spans, after_spans = spans(raw), spans(after)
    counts.numbers["notebooks changed by --fix"] += after != raw
    if outside(raw, before_spans) != outside(after, after_spans):
        counts.fault("changed outside of sources", name)
    old, new = sources_of(raw), sources_of(after)
    flagged = {place for each in found for place in touched(each)}
    for number, source in old.items():
        if source == new[number]:
            continue
        counts.numbers["cells changed by --fix"] += 1
        left = Counter(new[number].split("\n"))
        for place, line in enumerate(source.split("\n"), 1):
            if left[line]:
                left[line] -= 1
            elif (number, place) not in flagged:
                counts.fault("changed lines without a finding", name, f"cell {number}:{place}")
        begin, end = before_spans[number]
        first, last = after_spans[number]
        if shape(raw[begin:end]) != shape(after[first:last]):
            counts.fault("changed indentation", name, f"cell {number}")
    if "\\u" in raw and raw.isascii() and not after.isascii():
        counts.fault("changed escapes", name)


def touched(finding: dict[str, Any]) -> Iterator[tuple[int, int]]:
    """The cells and lines that a finding names, and those that its fix changes."""
    edits: list[dict[str, Any]] = [] if finding["fix"] is None else finding["fix"]["edits"]
    for place in (finding, *edits, *finding["related"]):
        for line in range(place["line"], place["end_line"] + 1):
            yield place["cell"], line
    # A fix that changes several cells is reported without its edits.
    for line, cell in ELSEWHERE.findall(finding["message"]):
        yield int(cell), int(line)


def shape(source: str) -> tuple[str, frozenset[str]]:
    """How the JSON of a source is laid out: its kind, and what stands before its lines."""
    return source[0], frozenset(re.findall(r'(?:(?<=\n)|(?<=\[))[ \t]*(?=")', source))


def spans(raw: str) -> dict[int, tuple[int, int]]:
    """Where the source of each code cell stands in the JSON of a notebook, by the cell's number."""
    path: list[str | int] = []
    kinds: dict[int, str] = {}
    places: dict[int, tuple[int, int]] = {}
    key, begin, is_key = "", 0, True
    for token in TOKEN.finditer(raw):
        text = token[0]
        inside = len(path) == 3 and path[0] == "cells"
        if inside and path[2] == "source" and text != ":" and begin == 0:
            begin = token.start()
        match text:
            case "{" | "[":
                path.append("" if text == "{" else 1)
                is_key = text == "{"
            case "}" | "]":
                path.pop()
            case ",":
                last = path[-1]
                path[-1] = last + 1 if isinstance(last, int) else ""
                is_key = isinstance(last, str)
            case ":":
                path[-1], is_key, begin = key, False, 0
            case _ if is_key and isinstance(path[-1], str):
                key = json.loads(text)
            case _:
                if len(path) == 3 and path[2] == "cell_type":
                    kinds[int(path[1])] = json.loads(text)
        if len(path) == 3 and path[0] == "cells" and path[2] == "source" and text not in ",:":
            places[int(path[1])] = begin, token.end()
    return {number: place for number, place in places.items() if kinds[number] == "code"}


def outside(raw: str, places: dict[int, tuple[int, int]]) -> str:
    """The notebook without the sources of its code cells."""
    parts: list[str] = []
    end = 0
    for begin, behind in sorted(places.values()):
        parts.append(raw[end:begin])
        end = behind
    return "\0".join((*parts, raw[end:]))


if __name__ == "__main__":
    main()
