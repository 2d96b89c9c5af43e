"""The checks of programs on real JAX, which watch the program's own frames.

Where one fails, a leak under `grad` of JAX is not found or is found at another line, a clean
program is accused, or a program is changed by being watched.
"""

# pyright: reportPrivateUsage=false

from __future__ import annotations

import importlib.util
import sys
import threading
from collections.abc import Generator
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

import pytest
from jax_leak_cells import CALLS, CLEAN, SHAPES, program

from oakum.api.checks import jax_frames, jax_watch
from oakum.errors import InvalidNumberError, KeyReuseError, LeakedTracerError
from oakum.values import user_frames

pytest.importorskip("jax")


@pytest.fixture(autouse=True)
def _no_trace_function() -> Generator[None]:
    """A debugger or a coverage keeps its trace function; then nothing is watched."""
    if sys.gettrace() is not None:
        pytest.skip("a trace function is there")
    excluded = list(user_frames._excluded)
    yield
    user_frames._excluded[:] = excluded
    user_frames.exclude("<none>")


def watch(folder: Path, text: str, *checks: str) -> tuple[ModuleType, list[Any]]:
    """Runs a program while it is watched; returns it, and what was found."""
    file = folder / "watched_program.py"
    file.write_text(text)
    spec = importlib.util.spec_from_file_location("watched_program", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["watched_program"] = module
    errors: list[Any] = []
    trace = jax_frames.FrameTrace()
    watching = jax_watch.JaxWatch(trace, checks, errors.append)
    watching.begin()
    try:
        spec.loader.exec_module(module)
    finally:
        watching.end()
        del sys.modules["watched_program"]
    assert sys.gettrace() is None
    return module, errors


CELLS = [
    pytest.param(name, call, marks=[] if call == "grad" else pytest.mark.exhaustive)
    for name in SHAPES
    for call in CALLS
]


@pytest.mark.parametrize(("name", "call"), CELLS)
def test_a_leak_is_found_with_its_line(name: str, call: str, tmp_path: Path) -> None:
    text = program(*SHAPES[name], CALLS[call])
    _, found = watch(tmp_path, text, "leaks")
    wanted = {at for at, line in enumerate(text.splitlines(), 1) if "# STORE" in line}
    assert {place.line for error in found for place in error.stored} == wanted
    assert all(isinstance(error, LeakedTracerError) for error in found)


@pytest.mark.parametrize("name", CLEAN)
def test_a_function_that_keeps_nothing_is_not_accused(name: str, tmp_path: Path) -> None:
    for call in CALLS.values():
        assert watch(tmp_path, program(*CLEAN[name], call), "leaks")[1] == []


def test_a_list_that_a_running_function_shares_with_the_one_it_differentiates(
    tmp_path: Path,
) -> None:
    text = """\
import jax, jax.numpy as jnp
def layer(p, seen):
    a = p * 3
    seen.append(a)  # STORE
    return a.sum()
def run():
    seen = []
    return jax.grad(lambda p: layer(p, seen))(jnp.ones(3)), seen
result = run()
"""
    _, found = watch(tmp_path, text, "leaks")
    (error,) = found
    assert [place.line for place in error.stored] == [4]
    assert "`seen[0]`" in error.message


def test_a_line_that_stores_may_call_one_that_stores(tmp_path: Path) -> None:
    """The references that the inner line finds are not those that the outer one began with."""
    text = """\
import jax, jax.numpy as jnp
class Settings:
    only = None
    @classmethod
    def get(cls):
        if cls.only is None:
            cls.only = cls()
        return cls.only
def loss(p):
    Settings.get().scale = jnp.max(p)
    return p.sum()
jax.grad(loss)(jnp.ones(3))
"""
    _, found = watch(tmp_path, text, "leaks")
    assert [place.line for error in found for place in error.stored] == [10]


def test_variables_that_become_nan_are_found_where_they_do(tmp_path: Path) -> None:
    text = """\
import jax, jax.numpy as jnp
def root(x):
    return {"root": jnp.sqrt(x)}
bad = root(jnp.array([-1.0, 4.0]))
passed_on = bad["root"] + 1
meant = jnp.full(3, jnp.nan)
masked = jnp.where(jnp.zeros(2) > 0, jnp.zeros(2) / 0, 1.0)
start = jnp.array(jnp.inf)
"""
    module, found = watch(tmp_path, text, "nans", "infs")
    # The function's line has no name for the value: the first that has one is that of its call.
    assert [error.frame.line for error in found] == [4]
    assert isinstance(found[0], InvalidNumberError)
    assert "`bad`" in found[0].message
    assert bool(module.jnp.isnan(module.passed_on[0]))


def test_nan_of_a_long_loop_is_found_at_its_line(tmp_path: Path) -> None:
    """Of a line that is run often not each value is looked at."""
    text = """\
import jax.numpy as jnp
def train(steps):
    x = jnp.float32(1.0)
    for i in range(steps):
        y = x * 2.0 if i != 1203 else x * jnp.inf * 0.0
        x = y * 0.5
    return 0
train(1210)
"""
    _, found = watch(tmp_path, text, "nans")
    assert [error.frame.line for error in found] == [5]


def test_lines_that_pass_a_nan_on_are_not_reported(tmp_path: Path) -> None:
    """A variable that gets its next value from its own has no other one that has the NaN."""
    text = """\
import jax, jax.numpy as jnp
def update(tree):
    tree = jax.tree.map(lambda x: x / 0.0, tree)
    tree = jax.tree.map(lambda x: x * 2.0, tree)
    tree = jax.tree.map(lambda x: x + 1.0, tree)
    return tree
new = update({"w": jnp.zeros(2), "b": jnp.ones(2)})
other = jax.tree.map(lambda x: x + 1.0, new)
"""
    _, found = watch(tmp_path, text, "nans")
    assert [error.frame.line for error in found] == [3]


def test_the_statements_that_pass_a_nan_on_may_have_many_lines_and_functions(
    tmp_path: Path,
) -> None:
    text = """\
import jax, jax.numpy as jnp
def scaled(tree, rate):
    tree = jax.tree.map(lambda x: x * rate, tree)
    return tree
def total(tree):
    sums = jax.tree.map(jnp.sum, tree)
    whole = sum(jax.tree.leaves(sums))
    return whole
def update(moment, count):
    ratio = jax.tree.map(
        lambda x: x / 0.0,
        moment,
    )
    result = jax.tree.map(
        lambda x, y: x + y,
        moment,
        ratio,
    )
    return scaled(result, 2.0), total(jax.tree.map(jnp.abs, result))
new = update({"w": jnp.zeros(2), "b": jnp.ones(2)}, 1)
def apply(x):
    def inner(y):
        z = y * x
        return z
    return inner(jnp.ones(2))
again = apply(new[1])
fresh = jnp.zeros(2) / 0.0
"""
    _, found = watch(tmp_path, text, "nans")
    assert [error.frame.line for error in found] == [10, 27]


def test_a_line_that_is_run_once_compiles_nothing_again(tmp_path: Path) -> None:
    """A tree of many shapes has one operation compiled for each of them."""
    text = """\
import jax, jax.numpy as jnp, numpy as np
tree = [np.ones(size) for size in range(20, 40, 2)]
new = jax.tree.map(jnp.sinh, tree)
for each in tree:
    one = jnp.cosh(each)
"""
    _, found = watch(tmp_path, text, "retraces")
    assert {error.frame.line for error in found} == {5}


def test_keys_that_are_used_twice_are_found(tmp_path: Path) -> None:
    text = """\
import jax
key = jax.random.PRNGKey(0)
first = jax.random.normal(key)
second = jax.random.uniform(key)
a, b = jax.random.split(jax.random.key(1))
third = [jax.random.normal(each) for each in (a, b)]
folded = [jax.random.normal(jax.random.fold_in(jax.random.key(2), i)) for i in range(3)]
"""
    _, found = watch(tmp_path, text, "keys")
    assert [error.frame.line for error in found] == [4]
    assert isinstance(found[0], KeyReuseError)
    assert "watched_program.py:3" in found[0].detail


def test_threads_are_watched_each_by_itself(tmp_path: Path) -> None:
    text = """\
import threading
import jax, jax.numpy as jnp
KEPT = []
def loss(w, keep):
    if keep:
        KEPT.append(w)
    return (w * w).sum()
def work(keep):
    for _ in range(5):
        jax.grad(loss)(jnp.ones(3), keep)
threads = [threading.Thread(target=work, args=(keep,)) for keep in (False, True)]
for each in threads: each.start()
for each in threads: each.join()
"""
    _, found = watch(tmp_path, text, "leaks")
    assert {place.line for error in found for place in error.stored} == {6}
    assert threading.gettrace() is None


def test_a_trace_function_that_is_there_stays(tmp_path: Path) -> None:
    def mine(*_: object) -> None:
        return None

    errors: list[Exception] = []
    sys.settrace(mine)
    try:
        trace = jax_frames.FrameTrace()
        watching = jax_watch.JaxWatch(trace, ["leaks"], errors.append)
        watching.begin()
        assert sys.gettrace() is mine
        watching.end()
        assert sys.gettrace() is mine
    finally:
        sys.settrace(None)


GENERATED = """import jax, jax.numpy as jnp
KEPT = []
space = {"KEPT": KEPT, "__name__": "library"}
exec(compile("def keep(x):\\n    KEPT.append(x)\\n    return x", "<generated_keep>", "exec"), space)
def loss(w):
    return (space["keep"](w) ** 2).sum()
jax.grad(loss)(jnp.ones(3))
"""


def test_methods_that_a_library_generates_are_none_of_the_program(tmp_path: Path) -> None:
    """Equinox and its like generate a flatten and an unflatten for each class: watching their lines
    took half of the time of a run, and a report would name a line that is in no file.
    """
    trace = jax_frames.FrameTrace()

    class Names(jax_frames.Watch):
        def __init__(self) -> None:
            self.files: set[str] = set()

        def stepped(self, frame: FrameType, before: int | None, line: int | None) -> None:
            self.files.add(frame.f_code.co_filename)

    names = Names()
    program = tmp_path / "program.py"
    trace.add([names])
    try:
        exec(compile(GENERATED, str(program), "exec"), {"__name__": "program"})
        exec(compile("typed = 1", "<stdin>", "exec"), {"__name__": "__main__"})
    finally:
        trace.end()
    assert {str(program), "<stdin>"} <= names.files
    assert "<generated_keep>" not in names.files
