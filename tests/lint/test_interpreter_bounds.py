"""Bounds: a program of any size is answered, and a failure of the tool stays in one file."""

import time
from pathlib import Path

import pytest
from small_programs import HEADER, assert_reported, findings_of

from oakum.version import __version__
from oakum_lint import driver
from oakum_lint.app.analysis import analyse
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.values import Value
from oakum_lint.syntax import nodes
from oakum_lint.text.finding import Finding

AFTER = "\n@jax.jit\ndef after(x):\n    return float(x)\n"
"""What has to be reported whatever stands before it."""

LARGE = {
    "recursion": "@jax.jit\ndef f(x):\n    return f(x + 1)\n",
    "mutual recursion": (
        "def even(x, n):\n    return x if n == 0 else odd(x, n - 1)\n"
        "def odd(x, n):\n    return even(x, n - 1)\n"
        "jax.jit(lambda x: even(x, 10))(1.0)\n"
    ),
    "recursion over its own result": (
        "@jax.jit\ndef f(x):\n    return f(f(f(x)))\n"
    ),
    "deep chain of calls": "".join(
        f"def f{n}(x):\n    return f{n + 1}(x)\n" for n in range(300)
    ) + "def f300(x):\n    return x\njax.jit(f0)(1.0)\n",
    "wide tree of calls": "".join(
        f"def g{n}(x, k):\n    return g{n + 1}(x, k) + g{n + 1}(x, k + 1)\n" for n in range(40)
    ) + "def g40(x, k):\n    return x\njax.jit(lambda x: g0(x, 0))(1.0)\n",
    "long chain of assignments": (
        "@jax.jit\ndef f(x):\n" + "    x = x + 1\n" * 10_000 + "    return x\n"
    ),
    "many branches": (
        "import sys\n@jax.jit\ndef f(x):\n"
        + "".join(f"    if len(sys.argv) > {n}:\n        x = x + {n}\n" for n in range(200))
        + "    return x\n"
    ),
    "nested loops": (
        "@jax.jit\ndef f(x):\n"
        + "".join("    " * n + f"for i{n} in range(10):\n" for n in range(1, 9))
        + "    " * 9 + "x = x + 1\n    return x\n"
    ),
    "large list": "rows = [" + "1, " * 20_000 + "]\n@jax.jit\ndef f(x):\n    return x + rows[3]\n",
    "large dict": "table = {" + "".join(f"{n}: {n}, " for n in range(20_000)) + "}\n",
    "huge numbers": "n = 2 ** 64 ** 64\nm = 'a' * 10 ** 12\nk = [0] * 10 ** 12\nprint(n, m, k)\n",
    "class that is its own base": "class A(A):\n    pass\n@jax.jit\ndef f(x):\n    return A().y\n",
    "classes in a ring": (
        "class A:\n    pass\nclass B(A):\n    pass\nA = B\nclass B(A):\n    pass\n"
        "@jax.jit\ndef f(x):\n    return B().run(x)\n"
    ),
    "function that is its own default": "def f(x, g=None):\n    return g(x, g)\njax.jit(f)(1, f)\n",
    "partial of itself": (
        "f = lambda x: x\nfor _ in range(100):\n    f = functools.partial(f)\njax.jit(f)(1.0)\n"
    ),
    "jit of jit of jit": "f = lambda x: x\n" + "f = jax.jit(f)\n" * 60 + "f(1.0)\n",
    "list that holds itself": "a = []\na.append(a)\n@jax.jit\ndef f(x):\n    return jnp.sum(a)\n",
    "tuple that doubles": (
        "t = (1, 2)\n" + "t = (t, t)\n" * 60
        + "@jax.jit\ndef f(x, y):\n    return x == y\nf(t, t)\n{t: 1}\n"
    ),
    "list that doubles": (
        "t = [1]\n" + "t = [t, t]\n" * 60 + "jax.jit(lambda x: x)(t)\njax.tree.leaves(t)\n"
    ),
    "dict that doubles": (
        "t = {}\n" + "t = {'a': t, 'b': t}\n" * 60 + "jax.tree.map(lambda v: v + 1, t)\n"
    ),
    "partial that doubles": (
        "f = lambda *x: 1.0\n" + "f = functools.partial(f, f)\n" * 60 + "jax.jit(f)(f)\n"
    ),
    "choices that double": (
        "import sys\ndef g(f):\n    if len(sys.argv) > 2:\n        return lambda x: f(f(x))\n"
        "    return lambda x: f(x) + 1\nh = lambda x: x\n" + "h = g(h)\n" * 30 + "jax.jit(h)(1.0)\n"
    ),
    "iterator that is one of itself": (
        "import sys\nclass A:\n    def __iter__(self):\n"
        "        return self if len(sys.argv) > 2 else A()\n"
        "@jax.jit\ndef f(x):\n    for v in A():\n        x = x + v\n    return x\n"
    ),
    "operators that call themselves": (
        "class A:\n    def __eq__(self, other):\n        return self == other\n"
        "    def __getitem__(self, i):\n        return self[i]\n"
        "    def __bool__(self):\n        return bool(self)\n"
        "@jax.jit\ndef f(x):\n    return x if A() == A() or not A() else A()[x]\n"
    ),
    "generator of generators": (
        "def g(n):\n    yield from g(n + 1)\n@jax.jit\ndef f(x):\n    return [v for v in g(0)]\n"
    ),
    "property that asks itself": (
        "class A:\n    @property\n    def y(self):\n        return self.y\n"
        "@jax.jit\ndef f(x):\n    return A().y\n"
    ),
    "getattr that asks itself": (
        "class A:\n    def __getattr__(self, name):\n        return getattr(self, name)\n"
        "@jax.jit\ndef f(x):\n    return A().y\n"
    ),
}  # fmt: skip


@pytest.mark.sweep(5)
@pytest.mark.parametrize("name", list(LARGE))
def test_a_large_or_circular_program_is_answered(name: str) -> None:
    """Neither a crash nor a wait, and what stands beside it is still reported."""
    began = time.process_time()
    findings = findings_of(LARGE[name] + AFTER)
    took = time.process_time() - began
    assert [f.code for f in findings if f.code.startswith("OAK0")] == []
    last = max((f.location.line, f.code) for f in findings)
    assert last == (len((HEADER + LARGE[name] + AFTER).splitlines()), "OAK204")
    assert took < 10


def test_a_bound_ends_in_not_knowing() -> None:
    """Past the depth that is followed nothing is made up."""
    chain = "".join(f"def f{n}(x):\n    return f{n + 1}(x)\n" for n in range(1_100))
    chain = chain.replace("f998(x)\n", "f998(x)  #! OAK003\n", 1)
    end = "def f1100(x):\n    return x\n@jax.jit\ndef f(x):\n    if f0(x) > 0:\n        return 1\n"
    assert_reported(chain + end + "    return 0\n")


def write_project(folder: Path, count: int) -> list[Path]:
    """Files of which each has one finding, and imports the one before it."""
    files: list[Path] = []
    for number in range(count):
        before = f"from part{number - 1} import f as before\n" if number else ""
        text = f"{before}@jax.jit\ndef f(x):\n    return float(x)\n"
        path = folder / f"part{number}.py"
        path.write_text(HEADER + text, encoding="utf-8")
        files.append(path)
    return files


def found(files: list[Path]) -> dict[Path, tuple[Finding, ...]]:
    return {report.path: report.findings for report in analyse(files)}


HOSTILE = {
    "deep": "x = " + "(" * 3000 + ")" * 3000,
    "broken": "def f(:\n",
    "null bytes": "x = 1\x00\n" * 10,
    "loops": "import jax\n" + LARGE["nested loops"],
    "calls": HEADER + LARGE["wide tree of calls"],
    "star import of everything": "".join(f"from part{n} import *\n" for n in range(30)) + HEADER,
}


@pytest.mark.sweep(3)
@pytest.mark.parametrize("name", list(HOSTILE))
def test_one_hostile_file_changes_no_other_report(tmp_path: Path, name: str) -> None:
    """A hundred files, one of which is made to break the tool: 99 reports stay as they were."""
    files = write_project(tmp_path, 99)
    before = found(files)
    assert all([f.code for f in findings] == ["OAK204"] for findings in before.values())
    hostile = tmp_path / "hostile.py"
    hostile.write_text(HOSTILE[name], encoding="utf-8")
    after = found([*files[:50], hostile, *files[50:]])
    del after[hostile]
    assert after == before


def test_a_failure_of_the_tool_is_said_and_stays_in_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One file gets OAK004; the reports of the others, and of its own other code, stay."""
    files = write_project(tmp_path, 6)
    before = found(files)
    bad = tmp_path / "bad.py"
    bad.write_text(HEADER + "@jax.jit\ndef f(x):\n    return x @ x\n" + AFTER, encoding="utf-8")

    def fails(_machine: Machine, node: nodes.BinaryOperation, _frame: Frame) -> Value:
        raise RuntimeError(f"no rule for {node.operator}")

    monkeypatch.setitem(driver.PARTS.expressions, nodes.BinaryOperation, fails)
    after = found([*files, bad])
    own = after.pop(bad)
    assert after == before
    assert [finding.code for finding in own] == ["OAK004", "OAK204"]
    assert own[0].message.startswith("oakum failed on `f`: RuntimeError at test_interpreter_bounds")
    assert __version__ in own[0].message


def test_a_failure_outside_of_functions_is_said_at_its_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rest of the file is reported as before."""
    bad = tmp_path / "bad.py"
    bad.write_text(HEADER + "a = b = jnp.ones(3)\n\nc = a @ b  # fails\n" + AFTER, "utf-8")
    line = HEADER.count("\n") + 3

    def fails(_machine: Machine, node: nodes.BinaryOperation, _frame: Frame) -> Value:
        raise RuntimeError(f"no rule for {node.operator}")

    monkeypatch.setitem(driver.PARTS.expressions, nodes.BinaryOperation, fails)
    failure, other = found([bad])[bad]
    assert (failure.code, other.code) == ("OAK004", "OAK204")
    assert failure.message.startswith("oakum failed on the code here: RuntimeError at ")
    place = failure.location
    assert (place.line, place.column, place.end_column) == (line, 1, len("c = a @ b  # fails") + 1)
