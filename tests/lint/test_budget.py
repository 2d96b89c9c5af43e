"""Limits of the analysis: what is cut is told, and work grows with the program and no faster."""

import math
import random
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from small_programs import HEADER, findings_of

from oakum_lint import driver
from oakum_lint.app.analysis import analyse
from oakum_lint.app.cli import main
from oakum_lint.app.distribution.deep_thread import run_deep
from oakum_lint.domain import ancestry, joins
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.store import Key, Store
from oakum_lint.domain.summaries.parts import Parts
from oakum_lint.domain.summaries.situations import Summary
from oakum_lint.domain.values import External, Value
from oakum_lint.fixes import tree
from oakum_lint.syntax import nodes

TRAP = "    if x > 0:\n        return x\n    return -x\n"


def chain(calls: int) -> str:
    """A trap behind so many calls."""
    links = "".join(f"def g{n + 1}(x):\n    return g{n}(x) + {n}\n" for n in range(calls))
    return f"def g0(x):\n{TRAP}{links}@jax.jit\ndef f(x):\n    return g{calls}(x)\n"


def supers(levels: int) -> str:
    """A trap behind so many calls by `super()`."""
    trap = TRAP.replace("    ", "        ")
    text = f"class A0:\n    def m(self, x):\n{trap}"
    for n in range(levels):
        text += f"class A{n + 1}(A{n}):\n    def m(self, x):\n        return super().m(x) + {n}\n"
    return f"{text}@jax.jit\ndef f(x):\n    return A{levels}().m(x)\n"


def decorators(count: int) -> str:
    """A trap behind so many decorators."""
    wrapper = "def deco(f):\n    def w(*a):\n        return f(*a)\n    return w\n"
    return f"{wrapper}@jax.jit\n" + "@deco\n" * count + f"def f(x):\n{TRAP}"


def recursion(depth: int) -> str:
    """A trap in the last of so many calls of a function by itself."""
    trap = TRAP.replace("    ", "        ", 1).replace("\n    ", "\n        ")
    return (
        f"def r(x, n):\n    if n == 0:\n{trap}    return r(x, n - 1)\n"
        f"@jax.jit\ndef f(x):\n    return r(x, {depth})\n"
    )


def objects(count: int) -> str:
    """A trap in the innermost of so many objects of one class."""
    text = "class A:\n    def __init__(self, inner):\n        self.inner = inner\n"
    text += "    def m(self, x):\n        if self.inner is None:\n"
    text += TRAP.replace("    ", "            ", 1).replace("\n    ", "\n            ")
    text += "        return self.inner.m(x)\na0 = A(None)\n"
    text += "".join(f"a{n + 1} = A(a{n})\n" for n in range(count))
    return f"{text}@jax.jit\ndef f(x):\n    return a{count}.m(x)\n"


@pytest.mark.parametrize(
    "program",
    [
        chain(24),
        chain(120),
        chain(600),
        supers(30),
        supers(120),
        decorators(40),
        recursion(30),
        objects(20),
    ],
    ids="chain24 chain120 chain600 super30 super120 decorators recursion objects".split(),
)
def test_a_trap_far_down_is_found(program: str) -> None:
    """A mistake is reported however many calls lie between it and the transform."""
    assert [finding.code for finding in findings_of(program)] == ["OAK201"]


def test_what_lies_too_deep_is_told_once() -> None:
    """Past the depth that is followed the user is told which calls were not."""
    (finding,) = findings_of(chain(1_200))
    assert finding.code == "OAK003"
    assert finding.message == "not all was analysed: `f` calls `g202` more than 1,000 deep"
    assert "f -> g1200 -> g1199 -> g1198 -> ... " in finding.related[0].message


def test_a_stack_that_is_used_up_is_told() -> None:
    """Deep expressions in deep calls are no failure of oakum."""
    text = "def g0(x):\n    return x\n"
    for n in range(900):
        text += f"def g{n + 1}(x):\n    return {'-' * 30}g{n}(x)\n"
    found = findings_of(f"{text}@jax.jit\ndef f(x):\n    return g900(x)\n")
    assert [finding.code for finding in found] == ["OAK003"]


def test_the_time_of_one_function_is_limited(tmp_path: Path) -> None:
    """The clock is the last resort: what it cuts is told, and the other functions are analysed."""
    path = tmp_path / "slow.py"
    slow = "@jax.jit\ndef slow(x):\n" + "    x = x + 1\n" * 5_000 + TRAP
    path.write_text(f"{HEADER}{slow}@jax.jit\ndef f(x):\n{TRAP}", encoding="utf-8")
    (report,) = analyse([path], seconds=0.001)
    told = {finding.code: finding.message for finding in report.findings}
    assert told["OAK003"].endswith("the analysis of `slow` has taken all of its 0.001 seconds")
    traps = [f.location.line for f in report.findings if f.code == "OAK201"]
    assert traps == [path.read_text(encoding="utf-8").count("\n") - 2]


@pytest.fixture
def deep(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A file of which not all is analysed."""
    monkeypatch.chdir(tmp_path)
    nested = f"x = jax.jit({'(' * 300}f{')' * 300})\n"
    Path("deep.py").write_text(HEADER + nested, encoding="utf-8")
    return "deep.py"


@pytest.mark.parametrize("style", ["full", "concise", "github", "sarif", "json"])
def test_every_report_says_that_not_all_was_analysed(
    deep: str, style: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A run that was cut short never passes for a clean one, in no format."""
    assert main(["check", "--output-format", style, deep]) == 2
    shown = capsys.readouterr()
    assert "OAK003" in shown.out
    assert "not all was analysed" in shown.out
    assert "Not all was analysed" in shown.out + shown.err
    assert "All clean" not in shown.out


def test_a_cut_that_is_ignored_is_not_called_clean(
    deep: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", "--ignore", "OAK003", deep]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("No findings: 1 file checked.\nNot all was analysed")


def test_the_seconds_of_the_command_line_are_checked(
    deep: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", "--max-seconds-per-root", "0", deep]) == 2
    assert "--max-seconds-per-root: `0.0` is not above 0" in capsys.readouterr().err


# --- growth -----------------------------------------------------------------------------------


def diamond(levels: int) -> str:
    """Classes that inherit by two ways at each of so many levels."""
    text = "class A0: pass\n"
    for n in range(levels):
        text += (
            f"class L{n}(A{n}): pass\nclass R{n}(A{n}): pass\nclass A{n + 1}(L{n}, R{n}): pass\n"
        )
    return f"{text}@jax.jit\ndef f(x):\n    return A{levels}().z(x)\n"


def nested_loops(depth: int) -> str:
    """So many loops in one another."""
    text = "@jax.jit\ndef f(x):\n"
    for n in range(depth):
        text += "  " * (n + 1) + f"for i{n} in range(3):\n"
    return f"{text}{'  ' * (depth + 1)}x = x + i0\n  return x\n"


def loops_in_calls(depth: int) -> str:
    """So many functions, each of which calls the next one in a loop."""
    text = f"def g0(x, *a):\n{TRAP}"
    for n in range(depth):
        text += f"def g{n + 1}(x, *a):\n    for i in range(8):\n        x = g{n}(x, i, *a)\n"
        text += "    return x\n"
    return f"{text}@jax.jit\ndef f(x):\n    return g{depth}(x)\n"


def two_calls(depth: int) -> str:
    """So many functions, each of which calls the next one twice, with other arguments."""
    text = f"def g0(x, s):\n{TRAP}"
    for n in range(depth):
        text += f"def g{n + 1}(x, s):\n    return g{n}(x, s + 'a') + g{n}(x, s + 'b')\n"
    return f"{text}@jax.jit\ndef f(x):\n    return g{depth}(x, '')\n"


def traps(count: int) -> str:
    """So many functions with a mistake in each."""
    return "".join(f"@jax.jit\ndef f{n}(x):\n{TRAP}" for n in range(count))


def traps_in_one(count: int) -> str:
    """So many mistakes in one function, in branches that assign to one variable."""
    branches = "".join(f"    if x > {n}:\n        y = x + {n}\n" for n in range(count))
    return f"@jax.jit\ndef f(x):\n    y = x\n{branches}    return y\n"


def steps_of(program: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """How many expressions an analysis evaluates."""
    made: list[Machine] = []

    class Counted(Machine):
        """A machine that is kept."""

        def __init__(self, *given: object, **named: object) -> None:
            super().__init__(*given, **named)  # pyright: ignore[reportArgumentType]
            made.append(self)

    monkeypatch.setattr(driver, "Machine", Counted)
    findings_of(program)
    return made[0].statistics.steps


@pytest.mark.parametrize(
    ("make", "small"),
    [
        (chain, 40),
        (supers, 40),
        (diamond, 20),
        (loops_in_calls, 10),
        (two_calls, 40),
        (traps, 20),
    ],
)
def test_work_grows_with_the_program(
    make: Callable[[int], str], small: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Twice the program takes twice the steps, not their square or more."""
    before, after = (steps_of(make(size), monkeypatch) for size in (small, 2 * small))
    assert before > 0
    assert math.log2(after / before) <= 1.1


BODY = "    y = x\n" + "    y = y + x\n" * 60
HOLDING = {
    "a tuple of objects": ("def work(pair):\n    x = pair[0].v\n", "    return y\n", "(P(x), x)"),
    "one of two dicts": (
        "def work(kept):\n    x = kept['v']\n",
        "    return y\n",
        "{'v': x} if unseen() else {'v': x, 'w': x}",
    ),
    "a partial application": ("def work(x):\n", "    return functools.partial(max, [y])\n", "x"),
    "a function that sees what it got": (
        "def work(held):\n    x = held.v\n",
        "    def made():\n        return y, held\n    return made\n",
        "P(x)",
    ),
    "a method of a dict": ("def work(x):\n", "    return {'y': y}.get\n", "x"),
    "an object that has come into unknown hands": (
        "def work(held):\n    x = held.v\n",
        "    unseen(held)\n    return y\n",
        "(held := P(x), unseen(held))[0]",
    ),
    "another random key": (
        "def work(key):\n    x = jax.random.normal(key, (3,))\n",
        "    return y, jax.random.split(key, 3)\n",
        "jax.random.key(unseen())",
    ),
    "a state with another random key": (
        "def work(state):\n    key, own = jax.random.split(state.v)\n"
        "    x = jax.random.normal(own, (3,))\n",
        "    return P(key), y\n",
        "P(jax.random.split(jax.random.key(unseen()))[1])",
    ),
    "a dict of arrays of any rank": (
        "def work(n):\n    x = jnp.ones(unseen())\n",
        "    return {'y': y}\n",
        "0",
    ),
}


@pytest.mark.parametrize("held", HOLDING)
def test_a_call_is_followed_once_whatever_holds_what_it_gets_and_gives(
    held: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a call does to the first of like objects is not found out for each of them: a check of
    ordinary research code followed one loss function 312 times.
    """
    begins, ends, given = HOLDING[held]

    def program(calls: int) -> str:
        text = "import functools\nfrom elsewhere import unseen\n"
        text += "class P:\n    def __init__(self, v):\n        self.v = v\n"
        text += f"{begins}{BODY}{ends}@jax.jit\ndef f(x):\n"
        return text + f"    work({given})\n" * calls + "    return x\n"

    few, many = (steps_of(program(calls), monkeypatch) for calls in (10, 20))
    assert many - few < 10 * 60, "each further call is followed through its 60 statements"


def test_a_recursion_in_a_comprehension_is_followed_as_one_outside(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """JAX's `autodidax` builds trees so, from an iterator: it was followed 1,000 calls deep, for
    each of its 60 examples, and took minutes.
    """
    program = """
def build(tree, leaves):
    if tree is LEAF:
        return next(leaves)
    parts = (build(part, leaves) for part in tree.parts)
    return tree.made(parts)

@jax.jit
def f(*arrays):
    return build(unknown, iter(arrays))

f(jnp.ones(3))
"""
    assert steps_of(program, monkeypatch) < 200


def test_loops_in_loops_are_interpreted_a_bounded_number_of_times(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As many loops as Python allows in one another cost less than a tenth of what a root may."""
    assert steps_of(nested_loops(19), monkeypatch) < 30_000


def misfit_below(callers: int) -> str:
    """So many functions that call the same one, in which arrays do not fit."""
    operations = "".join(f"    y = y * 2 + {n}\n" for n in range(20))
    text = f"def g():\n    y = jnp.ones(3)\n{operations}    return y + jnp.ones(4)\n"
    for n in range(callers):
        text += f"def f{n}(x):\n    shown = str({n})\n    return g()\nf{n}(2)\n"
    return text


def test_a_call_that_is_reported_in_is_followed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a report asks of the callers made it another call for each of them: a notebook of
    jax-md took 20 seconds.
    """
    one, many = (steps_of(misfit_below(callers), monkeypatch) for callers in (1, 20))
    assert many < 4 * one


def leaks_in_one(count: int) -> str:
    """So many values of one function that leak into a list."""
    stores = "".join(f"    kept.append(x + {n})\n" for n in range(count))
    return f"kept = []\n@jax.jit\ndef f(x):\n{stores}    return x\n"


@pytest.mark.parametrize("make", [traps_in_one, leaks_in_one])
def test_fixes_in_one_function_grow_with_their_number(
    make: Callable[[int], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Twice the findings of one function have twice the nodes looked at, not four times."""
    looks: list[nodes.Node] = []
    look = tree.children

    def counted(node: nodes.Node) -> Iterator[nodes.Node]:
        looks.append(node)
        return look(node)

    monkeypatch.setattr(tree, "children", counted)
    counts: list[int] = []
    for size in (50, 100):
        looks.clear()
        assert len(findings_of(make(size))) == size
        counts.append(len(looks))
    assert math.log2(counts[1] / counts[0]) <= 1.1


def nested_pairs(count: int) -> str:
    """A value that may be put into another pair behind each of so many tests."""
    pairs = "".join(f"    if a[{n}]:\n        v = (v, {n})\n" for n in range(count))
    return f"@jax.jit\ndef f(x, a):\n    v = 0\n{pairs}    return x\n"


def test_joins_of_nested_values_grow_with_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twice the tests take twice the joins, not four times: what nests deeply is not followed."""
    made: list[tuple[object, object]] = []
    join = joins.join

    def counted(a: Value, b: Value, depth: int = 0) -> Value:
        made.append((a, b))
        return join(a, b, depth)

    monkeypatch.setattr(joins, "join", counted)
    counts: list[int] = []
    for size in (200, 400):
        made.clear()
        findings_of(nested_pairs(size))
        counts.append(len(made))
    assert counts[0] > 100
    assert math.log2(counts[1] / counts[0]) <= 1.1


def test_what_a_remembered_call_has_read_grows_with_the_program(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each of n functions that call one another twice is asked for once more by name, not each
    with the names of all below it.
    """
    kept: list[int] = []

    def calls(depth: int) -> str:
        text = "def g0(x):\n    return x\n"
        for n in range(depth):
            text += f"def g{n + 1}(x):\n    return g{n}(x) + g{n}(x)\n"
        return f"{text}@jax.jit\ndef f(x):\n    return g{depth}(x)\n"

    match = Parts.match

    def matched(parts: Parts, summary: Summary, machine: Machine) -> bool:
        kept.append(len(summary.reads))
        return match(parts, summary, machine)

    monkeypatch.setattr(Parts, "match", matched)
    findings_of(calls(80))
    assert len(kept) >= 80
    assert sum(kept) <= len(kept)


def test_a_function_that_is_replaced_is_followed_again() -> None:
    """A call is not remembered past the moment in which another module replaces what it calls."""
    helpers = "def first(x):\n    return x\ndef caller(x):\n    return first(x)\n"
    program = f"""\
import helpers
def trapped(x):
{TRAP}@jax.jit
def f(x):
    return helpers.caller(x)
f(jnp.ones(3))
helpers.first = trapped
@jax.jit
def g(x):
    return helpers.caller(x)
g(jnp.ones(3))
"""
    assert [finding.code for finding in findings_of(program, helpers=helpers)] == ["OAK201"]


def star_chain(length: int) -> dict[str, str]:
    """So many modules, each of which imports all of the next one; a trap is in the last."""
    modules = {f"m{n}": f"from m{n + 1} import *\nV{n} = {n}\n" for n in range(length)}
    return modules | {f"m{length}": f"def g(x):\n{TRAP}V{length} = {length}\n"}


def star_cycle(length: int) -> dict[str, str]:
    """So many modules, each of which imports all of two in a circle; a trap is in one."""
    modules = {
        f"m{n}": f"from m{(n + 1) % length} import *\n"
        f"from m{(n + length // 2) % length} import *\nV{n} = {n}\n"
        for n in range(length)
    }
    last = f"m{length - 1}"
    return modules | {last: f"{modules[last]}def g(x):\n{TRAP}"}


def star_paths(length: int) -> dict[str, str]:
    """A chain whose modules import on a path, in turn behind a test and where it may fail."""
    either = "import sys\nif sys.argv:\n    from m{0} import *\n"
    failing = "try:\n    from m{0} import *\nexcept ImportError:\n    pass\n"
    chain = star_chain(length)
    for n in range(length):
        chain[f"m{n}"] = (either, failing)[n % 2].format(n + 1) + f"V{n} = {n}\n"
    return chain


def star_lists(length: int) -> dict[str, str]:
    """So many modules that import what one lists, which is as long; a trap is in it."""
    listed = [*(f"V{n}" for n in range(length)), "g"]
    values = "".join(f"V{n} = {n}\n" for n in range(length))
    modules = {f"m{n}": f"from m{n + 1} import *\nfrom listed import *\n" for n in range(length)}
    return modules | {"listed": f"__all__ = {listed}\n{values}def g(x):\n{TRAP}"}


@pytest.mark.parametrize("make", [star_chain, star_cycle, star_paths, star_lists])
def test_star_imports_grow_with_the_modules(
    make: Callable[[int], dict[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Twice the modules bind twice the names: what is imported with `*` is not bound in each."""
    bound: list[Key] = []
    put = Store.set

    def counted(store: Store, key: Key, value: Value) -> None:
        bound.append(key)
        put(store, key, value)

    monkeypatch.setattr(Store, "set", counted)
    program = "from m0 import *\n@jax.jit\ndef f(x):\n    return g(x)\n"
    counts: list[int] = []
    for size in (30, 60):
        bound.clear()
        found = findings_of(program, **make(size))
        assert [finding.code for finding in found] == ["OAK201"]
        counts.append(len(bound))
    assert math.log2(counts[1] / counts[0]) <= 1.1


PLAIN = "def g(x):\n    return x\n"


@pytest.mark.parametrize(
    ("program", "code"),
    [
        (f"{PLAIN}from traps import *\n", ["OAK201"]),
        (f"from traps import *\n{PLAIN}", []),
        ("from traps import *\nfrom plain import *\n", []),
        ("from plain import *\nfrom traps import *\n", ["OAK201"]),
        ("import traps\nfrom traps import *\ntraps.g = abs\n", ["OAK201"]),
        (
            "import sys\nfrom traps import *\nif sys.argv:\n    g = abs\n",
            ["OAK201"],
        ),
        (
            f"{PLAIN}import sys\nif sys.argv:\n    from traps import *\n",
            ["OAK201"],
        ),
        (
            "import sys\nif sys.argv:\n    from traps import *\nelse:\n    from plain import *\n",
            ["OAK201"],
        ),
        (
            "try:\n    from plain import *\nexcept ImportError:\n    from traps import *\n",
            ["OAK201"],
        ),
        ("import sys\nfrom traps import *\nif sys.argv:\n    from plain import *\n", ["OAK201"]),
        (
            f"import sys\nif sys.argv:\n    from traps import *\nelse:\n    {PLAIN[:-1]}\n".replace(
                "\n    return", "\n        return"
            ),
            ["OAK201"],
        ),
        ("import sys\nif sys.argv:\n    from traps import *\n    g = abs\n", []),
        (
            "import sys\nif sys.argv:\n    from traps import *\n    if sys.path: g = abs\n",
            ["OAK201"],
        ),
        ("if True:\n    from traps import *\n    from plain import *\n", []),
        ("for _ in range(3):\n    from traps import *\n", ["OAK201"]),
        ("from private import *\ng = _g\n", ["OAK201"]),
        ("g = abs\nfrom private import *\n", []),
    ],
    ids=(
        "after before hidden hides replaced assigned branch branches fallback over beside "
        "overwritten within last loop listed unlisted"
    ).split(),
)
def test_the_last_binding_of_a_name_counts(program: str, code: list[str]) -> None:
    """A star import binds what the module held at that time, over what was there before."""
    used = f"{program}@jax.jit\ndef f(x):\n    return g(x)\n"
    trap = f"def g(x):\n{TRAP}"
    private = f"__all__ = ['_g']\n{trap}_g = g\n"
    found = findings_of(used, traps=trap, plain=PLAIN, private=private)
    assert [finding.code for finding in found] == code


Tracer = Callable[[FrameType, str, object], Any]


def transforms(count: int) -> str:
    """A function under so many transforms, each of which is a name of its own."""
    text = f"import functools\ndef f(x):\n{TRAP}g0 = f\n"
    for n in range(count):
        text += f"g{n + 1} = functools.partial(jax.vmap(g{n}))\n"
    return text


def lines_in(function: str, program: str) -> int:
    """How many lines of a function run in an analysis."""
    lines = 0

    def in_function(frame: FrameType, event: str, given: object) -> Tracer:
        nonlocal lines
        lines += event == "line"
        return in_function

    def enter(frame: FrameType, event: str, given: object) -> Tracer | None:
        return in_function if frame.f_code.co_qualname.startswith(function) else None

    before = threading.gettrace()
    threading.settrace(enter)
    try:
        findings_of(program)
    finally:
        threading.settrace(before)
    return lines


def elif_chain(count: int) -> str:
    """So many mistakes in the clauses of one statement, each of which lies in the one before."""
    clauses = "".join(f"    elif x > {n}:\n        y = x + {n}\n" for n in range(1, count))
    return f"@jax.jit\ndef f(x):\n    y = x\n    if x > 0:\n        y = -x\n{clauses}    return y\n"


@pytest.mark.parametrize(
    ("make", "function"), [(transforms, "signature_of"), (elif_chain, "Site.functions")]
)
def test_what_nests_is_not_walked_for_each_level(make: Callable[[int], str], function: str) -> None:
    """Twice the levels take twice the steps to what is under or around them, not four times."""
    before, after = (lines_in(function, make(size)) for size in (80, 160))
    assert before > 100
    assert math.log2(after / before) <= 1.1


def wide_bases(count: int) -> str:
    """A class with so many bases, and with a trap behind the last one."""
    bases = "".join(f"class B{n}: pass\n" for n in range(count - 1))
    last = f"class B{count - 1}:\n    def m(self, x):\n" + TRAP.replace("    ", "        ")
    names = ", ".join(f"B{n}" for n in range(count))
    return f"{bases}{last}class A({names}): pass\n@jax.jit\ndef f(x):\n    return A().m(x)\n"


def test_the_order_of_ancestors_grows_with_the_bases(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twice the bases of a class are looked at twice as often, not four times."""
    looks: list[Value] = []
    identity = ancestry._identity  # pyright: ignore[reportPrivateUsage]

    def counted(value: Value) -> object:
        looks.append(value)
        return identity(value)

    monkeypatch.setattr(ancestry, "_identity", counted)
    counts: list[int] = []
    for size in (50, 100):
        looks.clear()
        assert [finding.code for finding in findings_of(wide_bases(size))] == ["OAK201"]
        counts.append(len(looks))
    assert counts[0] >= 50
    assert math.log2(counts[1] / counts[0]) <= 1.1


@pytest.mark.parametrize("seed", range(20))
def test_ancestors_come_in_the_order_of_python(seed: int) -> None:
    """The order of the ancestors of classes with several bases is the one that Python gives."""
    choose = random.Random(seed)
    classes: list[type] = [type("C0", (), {})]
    orders = [ancestry.put_before(External("C0"), None)]
    while len(classes) < 14:
        count = min(len(classes), choose.choice([1, 2, 2, 3, 5]))
        bases = choose.sample(range(len(classes)), count)
        name = f"C{len(classes)}"
        try:
            made = type(name, tuple(classes[base] for base in bases), {})
        except TypeError:
            continue
        classes.append(made)
        order = ancestry.merge_orders([orders[base] for base in bases])
        orders.append(ancestry.put_before(External(name), order))
    for made, order in zip(classes, orders, strict=True):
        known = [each.path for each in order if isinstance(each, External)]
        assert known == [each.__name__ for each in made.__mro__[:-1]]


def test_calls_that_go_up_and_down_take_no_memory_from_the_system_each_time() -> None:
    resource = pytest.importorskip("resource")
    taken: list[int] = []

    def up_and_down() -> None:
        before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
        for _ in range(500):
            _call_deeply(300)
        taken.append(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)

    run_deep(up_and_down)
    assert taken[0] < 500


def _call_deeply(depth: int) -> None:
    if depth:
        _call_deeply(depth - 1)
