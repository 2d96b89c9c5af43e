"""Leaks of the programs of `leak_programs` and its other parts, on oakum and on real JAX, and clean
programs that look alike.

Where one fails, a user's leak is not found, or is shown at a line that did not store it, or a
program is accused that keeps nothing.
"""

from __future__ import annotations

import builtins
import importlib.util
import itertools
import logging
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from leak_programs import CLEAN as FIRST_CLEAN
from leak_programs import SHAPES as FIRST_SHAPES
from leak_programs_second import PAIRS as SECOND_PAIRS
from leak_programs_third import PAIRS as THIRD_PAIRS
from test_real_jax_checks import watch

import oakum
from oakum import errors

PAIRS = SECOND_PAIRS | THIRD_PAIRS
SHAPES = FIRST_SHAPES | {name: (before, leak) for name, (before, leak, _) in PAIRS.items()}
CLEAN = FIRST_CLEAN | {
    f"{name}, no leak": (before, body) for name, (before, _, body) in PAIRS.items()
}
RUNS = {
    "jit": "jax.jit(f)(X)",
    "grad": "jax.grad(lambda w: f(w).sum())(X)",
    "vmap": "jax.vmap(f)(jnp.ones((2, 3)))",
    "scan": "jax.lax.scan(lambda c, _: (f(c), None), X, None, length=2)",
    "cond": "jax.lax.cond(True, f, lambda x: x * x, X)",
    "while": "jax.lax.while_loop(lambda c: c[0] < 2, lambda c: (c[0] + 1, f(c[1])), (0, X))",
    "fori_loop": "jax.lax.fori_loop(0, 3, lambda i, c: f(c), X)",
    "nested": "jax.jit(jax.vmap(jax.grad(lambda w: f(w).sum())))(jnp.ones((2, 3)))",
    "custom_jvp": (
        "g = jax.custom_jvp(lambda x: x * x)\n"
        "g.defjvp(lambda p, t: (p[0] * p[0], 2 * f(p[0]) * t[0]))\n"
        "jax.jit(jax.grad(lambda x: g(x).sum()))(X)"
    ),
    "custom_vjp, forward": (
        "g = jax.custom_vjp(lambda x: x * x)\n"
        "g.defvjp(lambda x: (f(x), x), lambda r, t: (t,))\n"
        "jax.jit(jax.grad(lambda x: g(x).sum()))(X)"
    ),
    "custom_vjp, backward": (
        "g = jax.custom_vjp(lambda x: x * x)\n"
        "g.defvjp(lambda x: (x * x, x), lambda r, t: (f(t),))\n"
        "jax.jit(jax.grad(lambda x: g(x).sum()))(X)"
    ),
    "checkpoint": "jax.grad(lambda w: jax.checkpoint(f)(w).sum())(X)",
}

CELLS = [(shape, run) for shape in SHAPES for run in RUNS]
"""One of eleven is tried; `OAKUM_LEAKS=all` tries them all."""
TRIED = CELLS if os.environ.get("OAKUM_LEAKS") == "all" else CELLS[::11]


def program(before: str, body: str, run: str, package: str) -> str:
    """Returns the program of a cell."""
    inner = "\n".join(f"    {line}" for line in body.splitlines())
    return (
        f"import {package} as jax, {package}.numpy as jnp\nX = jnp.ones(3)\n{before}\n"
        f"def f(w):\n{inner}\n    return w * w\n{run}\n"
    )


def marked(text: str) -> set[int]:
    """The lines that store."""
    return {at for at, line in enumerate(text.splitlines(), 1) if "# STORE" in line}


_names = map("leak_program_{}".format, itertools.count())


@pytest.fixture(autouse=True)
def nothing_is_kept() -> Iterator[None]:
    yield
    for name in ("leaks", "clean"):
        logging.getLogger(name).handlers.clear()
    if hasattr(builtins, "last_value"):
        delattr(builtins, "last_value")


def run_program(folder: Path, text: str) -> None:
    """Runs a program on oakum with the check for leaks; raises what it raises."""
    name = next(_names)
    file = folder / f"{name}.py"
    file.write_text(text)
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    try:
        with oakum.checking_leaks():
            spec.loader.exec_module(module)
    finally:
        del sys.modules[name]


@pytest.mark.sweep(23)
@pytest.mark.parametrize(("shape", "run"), TRIED)
def test_a_leak_is_found_with_its_line(shape: str, run: str, tmp_path: Path) -> None:
    text = program(*SHAPES[shape], RUNS[run], "oakum")
    with pytest.raises(errors.LeakedTracerError) as caught:
        run_program(tmp_path, text)
    (found,) = re.findall(r"stored on line \S*leak_program_\d+\.py:(\d+)", str(caught.value))
    assert int(found) in marked(text), str(caught.value)


@pytest.mark.parametrize("name", CLEAN)
def test_a_program_that_keeps_nothing_is_not_accused(name: str, tmp_path: Path) -> None:
    for run in ("jit", "grad", "scan"):
        run_program(tmp_path, program(*CLEAN[name], RUNS[run], "oakum"))


@pytest.mark.parametrize("shape", SHAPES)
def test_a_leak_under_grad_of_real_jax_is_found_with_its_line(shape: str, tmp_path: Path) -> None:
    """JAX's own check finds none of these."""
    pytest.importorskip("jax")
    text = program(*SHAPES[shape], RUNS["grad"], "jax")
    _, found = watch(tmp_path, text, "leaks")
    (line,) = {place.line for error in found for place in error.stored}
    assert line in marked(text)


@pytest.mark.parametrize("name", CLEAN)
def test_a_clean_program_on_real_jax_is_not_accused(name: str, tmp_path: Path) -> None:
    pytest.importorskip("jax")
    text = program(*CLEAN[name], RUNS["grad"], "jax")
    assert watch(tmp_path, text, "leaks")[1] == []
