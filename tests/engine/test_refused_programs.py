# pyright: basic
# Lambdas that are given to transformations have no types of their own for the strict mode.
"""Programs that cannot be compiled: whichever stage of the compiler fails, they are interpreted,
with one warning, and their results are right.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import oakum as jax
import oakum.numpy as jnp
from oakum import lax
from oakum.compile import elementary, executable
from oakum.compile.cpu import step_writer
from oakum.compile.cpu.codegen.emit_nest import NestWriter
from oakum.compile.fusion.nest_builder import NestBuilder
from oakum.compile.native import jit_link, object_cache, target, threads
from oakum.compile.plan import planner
from oakum.compile.program import native_program
from oakum.compile.program.driver import DriverWriter
from oakum.errors import CompilationWarning


def step(w: Any, x: Any) -> Any:
    """A product, a reduction, a loop, a branch, and a sort, which the host does."""

    def body(carry: Any, row: Any) -> Any:
        return carry * 0.5 + jnp.tanh(row), carry.sum()

    hidden = x @ w
    last, sums = lax.scan(body, hidden[0], hidden)
    sign = lax.cond(sums[-1] > 0, lambda v: v, lambda v: -v, last)
    return {"sign": sign, "sorted": jnp.sort(hidden, axis=0), "mean": hidden.mean(), "same": x}


def fail(*_args: Any, **_keywords: Any) -> Any:
    raise RuntimeError("this stage fails")


_write = DriverWriter.write


def written(more: str) -> Callable[..., Any]:
    """What writes the text of a program, and something after it."""

    def write(writer: DriverWriter, planned: Any) -> Any:
        source = _write(writer, planned)
        return dataclasses.replace(source, text=source.text + more)

    return write


UNDEFINED = """
declare void @no_such_symbol()
define void @calls() {
  call void @no_such_symbol()
  ret void
}
"""
ILL_TYPED = """
define i64 @wrong() {
  ret i32 0
}
"""
STAGES: dict[str, tuple[Any, str, Any]] = {
    "simplification": (executable, "simplify", fail),
    "expansion": (executable, "expand", fail),
    "words": (executable, "_without_keys", fail),
    "target": (target, "host", fail),
    "planning": (planner.Planner, "plan", fail),
    "fusion": (planner, "Fusion", fail),
    "building": (NestBuilder, "build", fail),
    "scheduling": (step_writer, "schedule", fail),
    "nests": (NestWriter, "write", fail),
    "text": (DriverWriter, "write", fail),
    "parsing": (DriverWriter, "write", written("no text of LLVM's")),
    "verifying": (DriverWriter, "write", written(ILL_TYPED)),
    "code": (jit_link, "_compile", fail),
    "called functions": (elementary, "addresses", fail),
    "linking": (jit_link, "link_object", fail),
    "symbols": (DriverWriter, "write", written(UNDEFINED)),
    "exports": (native_program, "ENTRY", "no_such_entry"),
}


@pytest.fixture(autouse=True)
def _no_code_is_kept(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Has LLVM asked for all code: none was made before."""
    memory = object_cache.Memory()
    monkeypatch.setattr(object_cache, "memory", lambda: memory)
    with jax.config.enable_compilation_cache(False):
        yield


@pytest.fixture(scope="module")
def inputs() -> tuple[Any, Any]:
    draw = np.random.default_rng(0)
    return draw.normal(size=(4, 3)).astype("f4"), draw.normal(size=(5, 4)).astype("f4")


def interpreted(function: Callable[..., Any], *args: Any) -> Any:
    with jax.config.compile_programs(False):
        return function(*args)


def check_equal(one: Any, two: Any) -> None:
    assert jax.tree.structure(one) == jax.tree.structure(two)
    for x, y in zip(jax.tree.leaves(one), jax.tree.leaves(two), strict=True):
        np.testing.assert_array_equal(np.asarray(x), np.asarray(y))


@pytest.mark.parametrize("stage", STAGES)
def test_each_stage_may_fail(
    stage: str, inputs: tuple[Any, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fault of the compiler ends the user's program, gives wrong numbers, or warns for ever."""
    expected = interpreted(jax.jit(step), *inputs)
    f = jax.jit(lambda *args: step(*args))
    monkeypatch.setattr(*STAGES[stage])
    with pytest.warns(CompilationWarning) as caught:
        first = f(*inputs)
    assert len(caught) == 1
    message = str(caught[0].message)
    assert message.startswith(f"The program <lambda> is interpreted at {__file__}:")
    assert "as it could not be compiled: " in message
    assert message.endswith("Its results are the same, but slower (OAK008)")
    check_equal(first, expected)
    for _ in range(3):
        check_equal(f(*inputs), expected)
    closed = f.trace(*inputs).jaxpr
    assert executable.of(closed).address is None
    assert "interpreted" in f.lower(*inputs).as_text("assembly")
    assert f.lower(*inputs).compile().memory_analysis() is None
    check_equal(f.lower(*inputs).compile()(*inputs), expected)


def test_threads_may_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    """A system that gives no threads ends programs that are long enough to use them."""
    x = np.linspace(-1, 1, 1 << 20, dtype="f4")
    f = jax.jit(lambda x: jnp.tanh(x) + 1)
    monkeypatch.setattr(threads, "address", fail)
    with pytest.warns(CompilationWarning, match="this stage fails"):
        made = f(x)
    check_equal(made, interpreted(jax.jit(lambda x: jnp.tanh(x) + 1), x))


def test_transformed_programs_may_fail(
    inputs: tuple[Any, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is right for a program is wrong for its derivative, or under `vmap`."""

    def loss(w: Any, x: Any) -> Any:
        return (jnp.tanh(x @ w) ** 2).sum()

    w, x = inputs
    several = np.stack([w, 2 * w])
    expected = interpreted(jax.value_and_grad(jax.jit(loss)), w, x)
    rows = interpreted(jax.vmap(jax.jit(loss), (0, None)), several, x)
    monkeypatch.setattr(NestWriter, "write", fail)
    with pytest.warns(CompilationWarning):
        check_equal(jax.value_and_grad(jax.jit(lambda *args: loss(*args)))(w, x), expected)
    with pytest.warns(CompilationWarning) as caught:
        check_equal(jax.vmap(jax.jit(lambda *args: loss(*args)), (0, None))(several, x), rows)
    assert len(caught) == 1


def test_eager_operations_may_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    """Functions outside `jit` that cannot be compiled are interpreted, which is said once."""
    monkeypatch.setattr(NestWriter, "write", fail)
    x = jnp.arange(7.0)
    with pytest.warns(CompilationWarning, match="hypot is interpreted") as caught:
        found = [jnp.hypot(x, x + 1).tolist()[0] for _ in range(20)]
    assert found == [1] * 20
    assert len(caught) == 1
