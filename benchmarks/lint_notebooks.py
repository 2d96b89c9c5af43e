"""Checks what `oakum check` makes of notebooks, against a reading of the files of its own.

    python benchmarks/lint_notebooks.py FOLDER... [--ipython PYTHON] [--record FILE]

A copy of each notebook gets one more line in each of its cells of Python, with a finding that has a
fix. Counted are:

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
import shutil
import subprocess
import sys
import tempfile
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
OPTIONS = ("--isolated", "--no-cache", "--exit-zero", "--all-places")
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
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--ipython", default=sys.executable, help="a Python that has IPython")
    parser.add_argument("--record", type=Path, help="where the faults are written, one a line")
    options = parser.parse_args()
    files = sorted(file for folder in options.folders for file in folder.rglob("*.ipynb"))
    counts = Counts()
    with tempfile.TemporaryDirectory() as kept:
        for number, file in enumerate(files):
            raw = file.read_bytes().decode("utf-8")
            name = f"{file.parent.name}/{file.name}"
            folder = Path(kept, str(number))
            folder.mkdir()
            check_notebook(folder / file.name, raw, name, options.ipython, counts)
            shutil.rmtree(folder)
    for kind, count in counts.numbers.items():
        print(f"{count:7} {kind}")
    for fault in counts.faults[:40]:
        print(f"  {fault}")
    if options.record is not None:
        options.record.write_text("".join(f"{fault}\n" for fault in counts.faults))


def check_notebook(file: Path, raw: str, name: str, ipython: str, counts: Counts) -> None:
    """Checks one notebook as it is, and then with the added lines."""
    counts.numbers["notebooks"] += 1
    table = json.loads(raw)
    cells = [
        (number, "".join(cell["source"]))
        for number, cell in enumerate(table["cells"], 1)
        if cell["cell_type"] == "code"
    ]
    file.write_bytes(raw.encode("utf-8"))
    found = report(file)
    check_syntax(found, dict(cells), name, ipython, counts)
    check_fixed(file, raw, found, name, counts)
    expected: set[tuple[int, int, int]] = set()
    for number, source in cells:
        if NO_PYTHON.match(source) or not source.strip():
            continue
        lines = [*source.removesuffix("\n").split("\n"), LINE]
        table["cells"][number - 1]["source"] = [f"{line}\n" for line in lines[:-1]] + [LINE]
        expected.add((number, len(lines), LINE.index(CALL) + 1))
    indent = re.match(r"\{\n( +)", raw)
    text = json.dumps(
        table, indent=len(indent[1]) if indent else None, ensure_ascii="\\u" in raw
    ) + ("\n" if raw.endswith("\n") else "")
    file.write_bytes(text.encode("utf-8"))
    found = report(file)
    if any(each["code"] == "OAK001" for each in found):
        counts.numbers["not analysed (OAK001)"] += 1
        return
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
    check_fixed(file, text, found, f"{name} with lines", counts)


def check_syntax(
    found: Sequence[dict[str, Any]], sources: dict[int, str], name: str, ipython: str, counts: Counts
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
    file: Path, raw: str, found: Sequence[dict[str, Any]], name: str, counts: Counts
) -> None:
    """Fixes a notebook twice, and counts what changes and should not."""
    run(file, "--fix", "--unsafe-fixes")
    after = file.read_bytes().decode("utf-8")
    before_spans, after_spans = spans(raw), spans(after)
    counts.numbers["notebooks changed by --fix"] += after != raw
    if outside(raw, before_spans) != outside(after, after_spans):
        counts.fault("changed outside of sources", name)
    old, new = json.loads(raw)["cells"], json.loads(after)["cells"]
    flagged = {(each["cell"], line) for each in found for line in touched(each)}
    for number, (one, other) in enumerate(zip(old, new, strict=True), 1):
        if one["source"] == other["source"]:
            continue
        before, now = ("".join(cell["source"]).split("\n") for cell in (one, other))
        counts.numbers["cells changed by --fix"] += 1
        left = Counter(now)
        for place, line in enumerate(before, 1):
            if left[line]:
                left[line] -= 1
            elif (number, place) not in flagged:
                counts.fault("changed lines without a finding", name, f"cell {number}:{place}")
        begin, end = before_spans[number]
        first, last = after_spans[number]
        if shape(raw[begin:end]) != shape(after[first:last]):
            counts.fault("changed indentation", name, f"cell {number}")
        escaped = "\\u" in raw and raw.isascii()
        if escaped and not after.isascii():
            counts.fault("changed escapes", name, f"cell {number}")
    run(file, "--fix", "--unsafe-fixes")
    if file.read_bytes().decode("utf-8") != after:
        counts.fault("changed by a second --fix", name)


def touched(finding: dict[str, Any]) -> Iterator[int]:
    """The lines that a finding and its fix stand in."""
    yield from range(finding["line"], finding["end_line"] + 1)
    for edit in (finding["fix"] or {"edits": []})["edits"]:
        yield from range(edit["line"], edit["end_line"] + 1)


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
        if inside and path[2] == "source" and text not in "[:{" and begin == 0:
            begin = token.start()
        match text:
            case "{" | "[":
                if inside and path[2] == "source" and begin == 0:
                    begin = token.start()
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


def report(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in run(file, "--output-format", "json-lines").splitlines()]


def run(file: Path, *options: str) -> str:
    """What a run prints of a notebook."""
    path = os.pathsep.join(str(ROOT / part) for part in ("engine", "lint", "lsp"))
    command = [sys.executable, "-m", "oakum_lint", "check", *OPTIONS, *options, str(file)]
    done = subprocess.run(
        command,
        cwd=file.parent,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
    )
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)}\n{done.stderr}")
    return done.stdout


if __name__ == "__main__":
    main()
