"""Inputs made to break a reader: each is answered, quickly, and without ending the process.

They run in a process of their own, for what is tested is also that no native stack overflows.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]

PROGRAM = """
import json, sys, time
from oakum_lint.syntax.module import ModuleFacts
from oakum_lint.text.triggers import imported_modules, imports_tracer_library
from oakum_lint.text.source import Source
for name, text in json.load(sys.stdin).items():
    began = time.process_time()
    imports_tracer_library(text), imported_modules(text)
    module = ModuleFacts(Source.from_text(text))
    for unit in module.units:
        unit.binds, unit.kind, unit.body
    codes = [problem.code for problem in module.problems()]
    parsed = sum(len(unit.body) for unit in module.units)
    print(json.dumps([name, codes[:3], parsed, time.process_time() - began]), flush=True)
"""

TOO_DEEP = {
    "parentheses": "x = " + "(" * 5000 + "1" + ")" * 5000,
    "lists": "x = " + "[" * 100_000 + "]" * 100_000,
    "calls": "x = " + "f(" * 1000 + ")" * 1000,
    "open brackets": "(" * 60_000,
    "indices": "x = " + "a[" * 1000 + "0" + "]" * 1000,
    "dicts": "x = " + "{1: " * 1000 + "0" + "}" * 1000,
    "sum": "x = " + " + ".join(["1"] * 100_000),
    "attributes": "x = a" + ".b" * 50_000,
    "call chain": "x = a" + ".b()" * 20_000,
    "negations": "x = " + "-" * 100_000 + "1",
    "not": "x = " + "not " * 10_000 + "1",
    "powers": "x = " + " ** ".join(["a"] * 10_000),
    "lambdas": "x = " + "lambda: " * 3000 + "0",
    "lambdas with parameters": "x = " + "lambda a, b=-c: " * 3000 + "0",
    "lambdas in defaults": "x = " + "lambda a=" * 1000 + "0" + ": 1" * 1000,
    "conditionals": "x = " + "a if b else " * 5000 + "0",
    "conjunctions": "x = " + " and ".join(["a"] * 10_000),
    "comparisons": "x = " + " < ".join(["a"] * 10_000),
    "clauses": "x = [a" + " for a, b in c" * 10_000 + "]",
    "filters": "x = [a for a in b" + " if c" * 10_000 + "]",
    "elif": "if a:\n  b\n" + "elif a:\n  b\n" * 10_000,
    "strings": "x = (" + "'a'\n" * 20_000 + ")",
    "empty strings": '"' * 60_000,
    "fields": "x = f'" + "{a}" * 60_000 + "'",
    "brackets in a field": "x = f'{" + "(" * 1000 + "a" + ")" * 1000 + "}'",
    "brackets in a long field": 'x = f"""{\n' + "(\n" * 1000 + "a" + ")" * 1000 + '}"""',
    "mixed": "x = " + "f([{-a.b: (lambda c, d: " * 200 + "0" + ")}])" * 200,
    "decorator": "@" + "(" * 1000 + "a" + ")" * 1000 + "\ndef f(): pass",
    "pattern": "match a:\n  case " + "(" * 25 + "b" + ")" * 25 + ": pass",
    "mapping pattern": "match a:\n  case " + "{1: " * 12 + "b" + "}" * 12 + ": pass",
    "class pattern": "match a:\n  case " + "A(b=" * 20 + "b" + ")" * 20 + ": pass",
}
"""Valid, or nearly, but deeper than any parser should be trusted with."""

BROKEN = {
    "nested strings of f-strings": "x = " + "f'{" * 5000 + "a" + "}'" * 5000,
    "specs": "x = f'" + "{a:" * 5000 + "}" * 5000 + "'",
    "blocks": "".join(" " * i + "if a:\n" for i in range(150)) + " " * 150 + "pass",
    "closing brackets": ")" * 60_000,
    "open f-strings": 'f"{' * 20_000,
    "broken f-strings": 'f"{(" ' * 20_000,
    "escaped quotes": '"' + '\\"' * 60_000,
    "backslashes": "\\" * 60_000,
    "at signs": "@" * 60_000,
    "colons": ":" * 60_000,
    "headers without blocks": "if a:\r" * 2000,
    "joined lines": "x = 1\\\n" * 20_000,
    "imports": "import (" * 20_000,
    "a null character": "x = '\0'",
    "half a surrogate pair": "x = '\ud800'",
    "bytes joined to text": "x = 'a' b'b'",
    "python 2": "print 'hello'\nexec 'x'\n",
    "tabs and spaces": "if True:\n\tx = 1\n        y = 2\n",
    "only Python's grammar": "f(a for a in b, c)\n",
}

HARMLESS = {
    "150 parentheses": "x = " + "(" * 150 + "1" + ")" * 150,
    "90 blocks": "".join(" " * i + "if a:\n" for i in range(90)) + " " * 90 + "pass",
    "180 lists": "x = " + "[" * 180 + "]" * 180,
    "a sum of 500": "x = " + " + ".join(["a"] * 500),
    "900 elif": "if a:\n  b\n" + "elif a:\n  b\n" * 900,
    "2000 strings": "x = (" + "'a'\n" * 2000 + ")",
    "400 conditions": "x = (" + " and ".join(["-a ** 2 is not None"] * 190) + ")",
    "300 lambdas side by side": "x = {" + "".join(f"{i}: lambda a: -a," for i in range(300)) + "}",
    "300 squares": "x = " + " + ".join(["a ** 2"] * 290),
    "a long list": "x = [" + "-1.5, " * 20_000 + "]",
    "many lines": "".join(f"x{i} = {i} + {i}\n" for i in range(3000)),
    "a long line": "x = '" + "a" * 2_000_000 + "'",
    "form feeds": "\f" * 60_000 + "x = 1",
    "blanks": "x = 1\n" + " " * 200_000 + "\ny = 2",
    "a long name": "a" * 200_000,
    "a comment": "x = 1  " + "#" * 200_000,
    "statements on a line": "a;" * 3000,
}


@pytest.fixture(scope="module")
def answers() -> dict[str, tuple[list[str], int, float]]:
    """What the front end says of each input: its codes, how many statements, in what time."""
    inputs = json.dumps({**TOO_DEEP, **BROKEN, **HARMLESS})
    path = os.pathsep.join(str(ROOT / name) for name in ("engine", "lint"))
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        input=inputs,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": path},
        timeout=300,
        check=False,
    )
    lines: list[Any] = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0, f"after {lines[-1:]}: {done.stderr[-2000:]}"
    return {name: (codes, parsed, seconds) for name, codes, parsed, seconds in lines}


Answers = dict[str, tuple[list[str], int, float]]


@pytest.mark.sweep(7)
@pytest.mark.parametrize("name", TOO_DEEP)
def test_what_nests_too_deeply_is_said_to(answers: Answers, name: str) -> None:
    codes, _, seconds = answers[name]
    assert "OAK003" in codes
    assert seconds < 20


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_broken_is_said_to_be(answers: Answers, name: str) -> None:
    codes, _, seconds = answers[name]
    assert codes
    assert seconds < 20


@pytest.mark.parametrize("name", HARMLESS)
def test_what_is_large_but_harmless_is_parsed(answers: Answers, name: str) -> None:
    codes, parsed, seconds = answers[name]
    assert codes == []
    assert parsed >= 1
    assert seconds < 20
