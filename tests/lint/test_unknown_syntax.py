"""Nothing unknown costs a file: new syntax, faults of the lowering and of rules, huge numbers."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from oakum.version import __version__
from oakum_lint.app.analysis import analyse
from oakum_lint.rules.oak201_tracer_in_branch import TracerInBranch
from oakum_lint.syntax.lowering import dispatch
from oakum_lint.syntax.lowering.compound import _COMPOUND as COMPOUND  # pyright: ignore[reportPrivateUsage]
from oakum_lint.syntax.lowering.plain_tree import cst
from oakum_lint.syntax.lowering.simple import SIMPLE
from oakum_lint.text.finding import Finding

HEADER = "import jax\nimport jax.numpy as jnp\n\n"
TRAP = "\n\n@jax.jit\ndef trap(x):\n    if x > 0:\n        return x\n    return -x\n"


def check(tmp_path: Path, text: str) -> tuple[Finding, ...]:
    file = tmp_path / "program.py"
    file.write_text(text, encoding="utf-8")
    (report,) = analyse([file])
    return report.findings


def codes(tmp_path: Path, program: str) -> list[str]:
    """The codes found in a program; of the trap behind it only whether it is found."""
    found = [finding.code for finding in check(tmp_path, HEADER + program + TRAP)]
    assert found.pop() == "OAK201", "the trap behind the program is lost"
    return found


NEW_SYNTAX = {
    "lazy imports (PEP 810)": "lazy import json.decoder as d, os\nlazy from a import (b, c as e)\n",
    "unpacking comprehensions (PEP 798)": (
        "a = {**x for x in b}\nc = [*x for x in b]\nd = {*x for x in b}\ne = f(*x for x in b)\n"
    ),
    "template strings (PEP 750)": "a = t'{x!r:{y}} {z=}'\nb = rt'\\d'\n",
    "except without parentheses (PEP 758)": "try:\n    a\nexcept A, B:\n    b\n",
    "leaving finally (PEP 765)": "def f():\n    try:\n        a\n    finally:\n        return 1\n",
    "generics (PEP 695, 696)": (
        "def f[T: int = 3, *A, **P = [int]](x: T) -> T:\n    return x\n"
        "type X[T = int] = list[T]\nclass A[T: (int, str)](B[T]): pass\n"
    ),
    "deferred annotations (PEP 649)": "def f(x: Later | None) -> 'Later[': pass\ny: Never\n",
    "groups of exceptions (PEP 654)": "try:\n    a\nexcept* (A, B) as e:\n    b\n",
    "nested quotes (PEP 701)": "a = f'{b['c']} {d:{e}} {\n    g  # why\n}'\n",
}


@pytest.mark.parametrize("name", NEW_SYNTAX)
def test_new_syntax_is_followed(tmp_path: Path, name: str) -> None:
    assert codes(tmp_path, NEW_SYNTAX[name]) == []


def test_what_new_syntax_binds_is_known(tmp_path: Path) -> None:
    program = "lazy import jax as j\nlazy from jax import numpy as n\n@j.jit\ndef f(x):\n"
    assert codes(tmp_path, program + "    return float(n.sum(x))\n") == ["OAK204"]


def test_an_unpacked_comprehension_has_the_elements_of_what_it_unpacks(tmp_path: Path) -> None:
    program = "@jax.jit\ndef f(x):\n    return [float(y) for y in [*z for z in [(x, x)]]]\n"
    assert codes(tmp_path, program) == ["OAK204"]


UNKNOWN_NODES = [
    (dispatch.LEAVES, cst.ListComp, "a = [x for x in y]\n"),
    (dispatch.LEAVES, cst.Dict, "a = {b: x, **c}\n"),
    (dispatch.LEAVES, cst.Lambda, "a = lambda x, *y: x\n"),
    (SIMPLE, cst.Assign, "a = b = (c)\n"),
    (SIMPLE, cst.Assert, "assert a, b\n"),
    (SIMPLE, cst.ImportFrom, "from a import b as c, d\n"),
    (COMPOUND, cst.While, "while a:\n    b = 'é'\nelse:\n    c\n"),
    (COMPOUND, cst.Try, "try:\n    a\nexcept B as e:\n    c\nfinally: d; e\n"),
    (COMPOUND, cst.Match, "match a:\n    case [b, *c] if d:\n        e\n"),
]


@pytest.mark.parametrize(("table", "kind", "text"), UNKNOWN_NODES)
@pytest.mark.parametrize("how", ["not known", "failing"])
def test_an_unknown_node_costs_itself(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    table: dict[object, object],
    kind: object,
    text: str,
    how: str,
) -> None:
    """As the nodes of a LibCST that is newer than the lowering are, and those that it gets wrong:
    what stands behind, on the line and in the function, is analysed."""

    def fails(*_: object) -> None:
        raise KeyError("new")

    if how == "failing":
        monkeypatch.setitem(table, kind, fails)
    else:
        monkeypatch.delitem(table, kind)
    indented = "".join(f"    {line}\n" for line in text.splitlines())
    function = f"@jax.jit\ndef f(x):\n{indented}    return float(x)\n"
    found = check(tmp_path, HEADER + text + function + TRAP)
    assert [f.code for f in found if f.code != "OAK004"] == ["OAK204", "OAK201"]
    failures = [f for f in found if f.code == "OAK004"]
    assert len(failures) == (2 if how == "failing" else 0)
    for finding in failures:
        assert "KeyError at test_unknown_syntax.py:" in finding.message
        assert f"(oakum {__version__})" in finding.message


def test_the_known_parts_of_an_unknown_node_are_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(COMPOUND, cst.While)
    monkeypatch.delitem(dispatch.LEAVES, cst.Dict)
    program = "@jax.jit\ndef f(x):\n    a = {1: float(x)}\n    while a:\n        int(x)\n"
    assert codes(tmp_path, program) == ["OAK204", "OAK204"]


def test_what_an_unknown_statement_may_bind_is_not_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The branch was taken to be left out, as the flag was False before."""
    monkeypatch.delitem(SIMPLE, cst.AnnAssign)
    program = "@jax.jit\ndef f(x):\n    flag = False\n    flag: bool = g()\n"
    assert codes(tmp_path, program + "    return float(x) if flag else x\n") == ["OAK204"]


def test_a_rule_that_fails_costs_its_finding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(_self: object, _event: object) -> Iterator[Finding]:
        raise RuntimeError("no")

    monkeypatch.setattr(TracerInBranch, "check", fails)
    found = check(tmp_path, HEADER + "@jax.jit\ndef f(x):\n    return float(x)\n" + TRAP)
    assert [(f.code, f.location.line) for f in found] == [("OAK204", 6), ("OAK004", 11)]
    assert found[1].message.startswith("oakum failed on the rule OAK201: RuntimeError at ")


HUGE = {
    "ranges": "f(*[str(i) for i in range(10**40)])\nfor i in range(-10**20, 10**40): g(i)\n",
    "literals": "n = " + "9" * 60 + "\nfor i in range(n): f(i)\nx = jnp.zeros(n)[n:-n]\n",
    "shifts and powers": "a = 1 << 10**9\nb = 10**10**6\nc = 2.0**10**9\nd = -(1 << 10**18)\n",
    "long texts": "a = 'x' * 10**12\nb = f'{1:>1000000000}'\nc = '%1000000000d' % 5\n",
    "digits of numbers": "a = str(10**5000)\nb = int('9' * 5000)\nc = f'{10**5000}'\n",
    "doubled texts": "s = 'ab'\n" + "s = f'{s}{s}'\n" * 50 + "t = 'a'\n" + "t = t + t\n" * 50,
    "doubled tuples": "s = (1,)\n" + "s = s + s\n" * 50 + "t = ()\n" + "t = (t, t)\n" * 50,
    "lengths of lengths": "s = [1]\n"
    + "s = s * 10**18\n" * 250
    + "f'{len(s)}'\njnp.ones(len(s))\n",
    "large floats": "n = round(1e308) * int(1e308)\nfor i in range(int(1e308)): f(i)\n",
    "parts": "a = jnp.split(jnp.ones(10**9), 10**9)\nb = [*jax.random.split(f(), 10**9)]\n",
    "shapes": "a = jnp.ones((10**18, 10**18))\nb = jnp.tile(a, (10**6,) * 40)\njnp.eye(10**40)\n",
}


@pytest.mark.parametrize("name", HUGE)
def test_huge_numbers_are_never_computed(tmp_path: Path, name: str) -> None:
    """What is behind them is found, in bounded time and memory: the test would not end."""
    found = codes(tmp_path, HUGE[name])
    assert "OAK004" not in found


def test_objects_in_the_place_of_methods_do_not_call_themselves_without_end(tmp_path: Path) -> None:
    """As in CPython's own tests of descriptors."""
    methods = "".join(f"A.__{name}__ = A()\n" for name in ("call", "get", "getattr", "add", "iter"))
    uses = "A()()\nA().x\nA() + A()\nlist(A())\njax.jit(A())(1)\n"
    found = codes(tmp_path, f"class A: pass\n{methods}{uses}")
    assert "OAK004" not in found
