"""The options `explain_cache_misses` and `log_compiles`: what a user reads who asks why a step of
training is slow again.
"""

from __future__ import annotations

import logging
import os
import re
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import oakum
from oakum.compile import executable
from oakum.compile.native import object_cache
from oakum.transforms.jit import explain_cache_misses

PROGRAMS = {
    "a number of another type": """
        @jax.jit
        def step(w, lr):
            return w - lr * w

        step(jnp.ones(3), 1)
        step(jnp.ones(3), 0.1)
    """,
    "a leaf of another shape, found by its path": """
        @jax.jit
        def step(params, x):
            return x @ params["dense"]["kernel"]

        for size in (4, 4, 5):
            step({"dense": {"kernel": jnp.ones((3, size))}}, jnp.ones(3))
    """,
    "another dtype, and a weak type": """
        @jax.jit
        def double(x):
            return x * 2

        double(jnp.ones(3))
        double(jnp.ones(3, "int16"))
        double(1.0)
        double(jnp.float32(1.0))
    """,
    "a reference instead of an array": """
        @jax.jit
        def double(x):
            return x[...] * 2

        double(jnp.ones(3))
        double(jax.new_ref(jnp.ones(3)))
    """,
    "the nearest of several": """
        @jax.jit
        def total(x, y, z):
            return x.sum() + y.sum() + z.sum()

        total(jnp.ones(1), jnp.ones(1), jnp.ones(1))
        total(jnp.ones(2), jnp.ones(2), jnp.ones(2))
        total(jnp.ones(1), jnp.ones(1), jnp.ones(3))
    """,
    "containers": """
        @jax.jit
        def total(batch):
            return sum(jax.tree.leaves(batch))

        total({"x": 1.0, "y": [1.0, 2.0]})
        total({"x": 1.0, "y": (1.0, 2.0)})
        total({"x": 1.0, "z": (1.0, 2.0, 3.0)})
        total({"x": {"y": 1.0}, "z": None})
    """,
    "data of a container": """
        @jax.tree_util.register_pytree_node_class
        class State:
            def __init__(self, value, step):
                self.value, self.step = value, step

            def tree_flatten(self):
                return (self.value,), self.step

            @classmethod
            def tree_unflatten(cls, step, children):
                return cls(*children, step)

        @jax.jit
        def read(state):
            return state.value

        for number in range(2):
            read(State(1.0, number))
    """,
    "keywords": """
        @jax.jit
        def scale(x, by=2.0, *, plus=0.0):
            return x * by + plus

        scale(1.0)
        scale(1.0, 3.0)
        scale(1.0, by=3.0)
        scale(1.0, by=3.0, plus=1.0)
    """,
    "static arguments": """
        import functools

        @functools.partial(jax.jit, static_argnames=("n", "mode"))
        def repeat(x, n, mode="up"):
            return x * n

        for n in (-1, -2, 1, True, 1.0):
            repeat(1.0, n)
        repeat(1.0, n=1.0)
        repeat(1.0, 1.0, mode="down")
    """,
    "static objects without equality": """
        class Model:
            def __repr__(self):
                return "Model()"

        f = jax.jit(lambda x, model: x, static_argnums=1)
        f(1.0, Model())
        f(1.0, Model())
    """,
    "options and named axes": """
        @jax.jit
        def half(x):
            return x / 2

        half(1.0)
        with jax.enable_x64(True):
            half(1.0)
        with jax.default_matmul_precision("float32"):
            half(1.0)
        switch = jax.make_user_context(0)
        with switch(3):
            half(1.0)
        with jax.set_mesh(jax.make_mesh((1,), ("devices",))):
            half(1.0)
        jax.vmap(half, axis_name="rows")(jnp.ones(2))
        jax.jit(half.__wrapped__, donate_argnums=0)(1.0)
    """,
    "a function made in a loop": """
        for scale in (1.0, 2.0, 3.0):
            jax.jit(lambda x: x * scale)(1.0)
    """,
    "different functions made by one transformation": """
        import functools

        def square(x):
            return x * x

        def cube(x):
            return x * x * x

        jax.jit(jax.grad(square))(1.0)
        jax.jit(jax.grad(cube))(1.0)
        jax.jit(functools.partial(square))(1.0)
    """,
    "a function that uses a value of the trace around it": """
        @jax.jit
        def outer(x):
            inner = jax.jit(lambda y: x * y)
            return inner(1.0) + inner(2.0)

        outer(1.0)
    """,
    "caches that were cleared": """
        f = jax.jit(lambda x: x + 1)
        f(1.0)
        f.clear_cache()
        f(1.0)
        jax.clear_caches()
        f(jnp.ones(3))
    """,
    "checkpoint": """
        f = jax.checkpoint(lambda x: x + 1)
        f(1.0)
        f(jnp.ones(3))
    """,
    "many changes": """
        @jax.jit
        def total(*xs):
            return sum(x.sum() for x in xs)

        total(*[jnp.ones(1)] * 12)
        total(*[jnp.ones(2)] * 12)
    """,
}


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> Callable[[str], str]:
    """Runs a program, as the file train.py, and gives what was logged."""
    monkeypatch.setattr(explain_cache_misses, "_known", {})

    def run(source: str) -> str:
        caplog.clear()
        program = compile(textwrap.dedent(source).lstrip(), "train.py", "exec")
        with caplog.at_level(logging.WARNING, "oakum"):
            exec(program, {"__name__": "train", "jax": oakum, "jnp": oakum.numpy})
        assert all(each.name == "oakum" for each in caplog.records)
        assert all(each.levelno == logging.WARNING for each in caplog.records)
        return "\n".join(each.getMessage() for each in caplog.records)

    return run


def test_explanations(run: Callable[[str], str], golden: Callable[[str, str], None]) -> None:
    """A user cannot find out which argument had a function traced again."""
    found: list[str] = []
    for title, source in PROGRAMS.items():
        with oakum.explain_cache_misses(True):
            text = run(source)
        kept = [line for line in text.splitlines() if not line.startswith("The code of ")]
        found.append(f"# {title}\n{textwrap.dedent(source).strip()}\n---\n" + "\n".join(kept))
    golden("cache-misses.txt", "\n\n".join(found) + "\n")


def test_first_calls_are_no_misses(run: Callable[[str], str]) -> None:
    """A call for which there is a program is explained, as if it were traced."""
    with oakum.explain_cache_misses(True):
        text = run("f = jax.jit(lambda x: x)\nfor _ in range(3):\n    f(1.0)\n")
    assert text.count("is traced") == 1
    assert "<lambda> is traced for jit for the first time at train.py:3" in text


def test_a_broken_representation_is_no_error(run: Callable[[str], str]) -> None:
    """A message about an argument makes the program fail that it is about."""
    with oakum.explain_cache_misses(True):
        run("""
            class Broken:
                def __repr__(self):
                    raise KeyError("mine")

            f = jax.jit(lambda x, broken: x, static_argnums=1)
            f(1.0, Broken())
            f(1.0, Broken())
        """)


def masked(text: str) -> str:
    """A text without what differs from run to run."""
    text = re.sub(r"in \d+\.\d{6} s", "in T s", text)
    text = re.sub(r"\d+ bytes", "N bytes", text)
    return re.sub(r"made by LLVM|found on disk|found in memory", "WHERE", text)


def test_compilations_are_logged(run: Callable[[str], str]) -> None:
    """A user cannot tell what is traced and compiled, and how long that takes."""
    program = """
        @jax.jit
        def step(x, lr):
            return jax.lax.scan(lambda w, g: (w - lr * g, None), x, jnp.ones(4))[0]

        step(jnp.ones(3), 1e-3)
        jax.eval_shape(step, jnp.ones(3), 1)
        jax.make_jaxpr(lambda: 1.0)()
    """
    with oakum.log_compiles():
        text = run(program)
    assert masked(text).splitlines() == [
        "Finished tracing <lambda> for scan in T s at train.py:3: float32[3], float32[]",
        "Finished tracing step for jit in T s at train.py:5: float32[3], float32[] weak",
        "Finished compiling step in T s at train.py:5: 1 step, N bytes of code WHERE",
        "Finished tracing <lambda> for scan in T s at train.py:3: float32[3], float32[]",
        "Finished tracing step for jit in T s at train.py:6: float32[3], int32[] weak",
        "Finished tracing <lambda> for make_jaxpr in T s at train.py:7: no arguments",
    ]
    assert run(program) == ""


def test_where_code_comes_from(
    run: Callable[[str], str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A cache on disk that is not used goes unnoticed."""
    program = """
        f = jax.jit(lambda x: x * 1.25 + 3.5)
        f(jnp.ones(3))
        f.clear_cache()
        f(jnp.ones(3))
    """
    monkeypatch.setattr(object_cache, "memory", lambda: memory)
    memory = object_cache.Memory()
    before = oakum.config.oakum_cache_dir
    oakum.config.update("oakum_cache_dir", str(tmp_path))
    try:
        with oakum.log_compiles(), oakum.explain_cache_misses():
            first = run(program)
            memory = object_cache.Memory()
            second = run(program)
            memory = object_cache.Memory()
            oakum.config.update("jax_enable_compilation_cache", False)
            third = run(program)
    finally:
        oakum.config.update("jax_enable_compilation_cache", True)
        oakum.config.update("oakum_cache_dir", before)
    where = re.compile("made by LLVM$|found on disk$|found in memory$", re.MULTILINE)
    assert where.findall(first) == ["made by LLVM", "found in memory"]
    assert where.findall(second) == ["found on disk", "found in memory"]
    assert where.findall(third) == ["made by LLVM", "found in memory"]
    absent = "The code of <lambda> had to be made by LLVM, as"
    assert f"{absent} it is not in {tmp_path}/objects" in first
    assert absent not in second
    assert f"{absent} no code is kept on disk" in third


def test_interpreted_programs_are_logged(
    run: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program that is refused looks as if it had not been compiled yet."""

    def refuse(*_args: Any) -> Any:
        raise NotImplementedError("no such operation")

    monkeypatch.setattr(executable, "prepare", refuse)
    with oakum.log_compiles(), pytest.warns(oakum.errors.CompilationWarning):
        text = run("jax.jit(lambda x: x + 1)(1.0)")
    assert "Finished compiling <lambda>" in text
    assert text.endswith("it is interpreted, NotImplementedError: no such operation")


def test_the_environment_switches_both_on() -> None:
    """`OAKUM_LOG_COMPILES=1 python train.py` says nothing."""
    program = "import oakum as jax; jax.jit(lambda x: x + 1)(1.0)"
    path = os.pathsep.join(sys.path)
    switches = {"OAKUM_LOG_COMPILES": "1", "JAX_EXPLAIN_CACHE_MISSES": "1"}
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": path, **switches},
        capture_output=True,
        text=True,
        check=True,
    )
    for said in ("is traced for jit for the first time", "Finished tracing", "Finished compiling"):
        assert said in done.stderr
