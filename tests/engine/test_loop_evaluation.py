# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false
"""Loops outside `jit`: short ones are evaluated step by step, long ones are compiled on the way.

Where one fails, a loop gives other numbers, or runs a callback twice, once it is long.
"""

from __future__ import annotations

import gc
import weakref
from typing import Any

import numpy as np
import pytest

import oakum as jax
import oakum.numpy as jnp
from oakum import lax
from oakum.compile.executable import Executable
from oakum.control_flow import loop_evaluation

LONG = loop_evaluation.BUDGET


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the programs that are run compiled."""
    names: list[str] = []
    run = Executable.__call__

    def noted(self: Executable, *args: Any, **kwargs: Any) -> Any:
        names.append(self.closed.jaxpr.name)
        return run(self, *args, **kwargs)

    monkeypatch.setattr(Executable, "__call__", noted)
    return names


def test_a_long_scan_is_compiled(compiled: list[str]) -> None:
    def step(carry: Any, x: Any) -> tuple[Any, Any]:
        return carry + x, carry * 2

    numbers = np.arange(LONG, dtype=np.float32)
    total, doubled = lax.scan(step, 0.0, numbers)
    assert compiled == ["scan"]
    sums = np.cumsum(numbers, dtype=np.float32)
    np.testing.assert_allclose(total, sums[-1], rtol=1e-4)
    np.testing.assert_allclose(doubled[1:], 2 * sums[:-1], rtol=1e-4)
    short, _ = lax.scan(lambda carry, x: (carry + x, None), 0.0, numbers[:10])
    assert compiled == ["scan"]
    assert short == 45.0


def test_a_short_scan_that_is_run_often_is_compiled(compiled: list[str]) -> None:
    def step(carry: Any, x: Any) -> tuple[Any, Any]:
        return -carry + x, None

    found = [float(lax.scan(step, 0.3, np.ones(101, np.float32))[0]) for _ in range(60)]
    assert compiled
    assert compiled[0] == "scan"
    assert len(compiled) < 60
    assert {*found} == {found[0]}


def test_a_loop_that_is_rounded_is_compiled_at_once(compiled: list[str]) -> None:
    """Its last bits would change when it has been run often."""

    def step(carry: Any, x: Any) -> tuple[Any, Any]:
        return jnp.sin(carry) * x + 0.1, None

    rows = np.linspace(0, 1, 100, dtype=np.float32)
    found = [float(lax.scan(step, 1.0, rows)[0]) for _ in range(60)]
    assert compiled == ["scan"] * 60
    assert {*found} == {float(jax.jit(lambda rows: lax.scan(step, 1.0, rows)[0])(rows))}


def test_a_while_loop_goes_on_compiled_where_it_is(compiled: list[str]) -> None:
    """The steps before are not taken again."""

    def body(state: tuple[Any, ...]) -> tuple[Any, ...]:
        count, x, offset = state
        return count + 1, offset - x, offset

    for steps in (0, 1, 10, LONG, 2 * LONG + 1):
        found = lax.while_loop(lambda s, n=steps: s[0] < n, body, (0, jnp.ones(3), 0.25))
        assert found[0] == steps
        assert found[1].tolist() == [-0.75 if steps % 2 else 1.0] * 3
    assert compiled == ["while", "while"]


def test_a_loop_over_closed_over_arrays_goes_on(compiled: list[str]) -> None:
    matrix, bound = jnp.eye(3) * 0.5, jnp.int32(LONG)

    def body(state: tuple[Any, ...]) -> tuple[Any, ...]:
        return state[0] + 1, matrix @ state[1] + 1.0

    count, x = lax.while_loop(lambda s: s[0] < bound, body, (0, jnp.zeros(3)))
    assert compiled == ["while"]
    assert count == LONG
    np.testing.assert_allclose(x, np.full(3, 2.0), rtol=1e-6)


def test_a_loop_with_callbacks_calls_them_once_for_each_step(compiled: list[str]) -> None:
    seen: list[int] = []

    def body(i: Any, x: Any) -> Any:
        jax.debug.callback(lambda j: seen.append(int(j)), i, ordered=True)
        return x + 1

    for steps in (10, LONG):
        assert lax.fori_loop(0, steps, body, 0) == steps
        jax.effects_barrier()
        assert seen == list(range(steps))
        seen.clear()
    assert compiled == ["scan"]


def test_a_while_loop_with_callbacks_goes_on_compiled_where_it_is(compiled: list[str]) -> None:
    """What was called before is not called again."""
    seen: list[int] = []

    def body(count: Any) -> Any:
        jax.debug.callback(lambda j: seen.append(int(j)), count, ordered=True)
        return count + 1

    assert lax.while_loop(lambda count: count < LONG, body, 0) == LONG
    jax.effects_barrier()
    assert compiled == ["while"]
    assert seen == list(range(LONG))


def test_a_gradient_outside_jit_runs_long_loops_compiled(compiled: list[str]) -> None:
    def loss(w: Any) -> Any:
        return lax.scan(lambda c, x: (jnp.tanh(w * c + x), c), 0.0, np.ones(LONG, np.float32))[0]

    slope = jax.grad(loss)(0.5)
    assert "scan" in compiled
    np.testing.assert_allclose(slope, jax.jit(jax.grad(loss))(0.5), rtol=1e-5)


def test_a_number_that_is_not_one_is_found_in_a_loop_that_is_compiled(compiled: list[str]) -> None:
    """With `jax_debug_nans`, as `oakum run` has it, a long loop took fifty times as long."""

    def step(carry: Any, x: Any) -> tuple[Any, Any]:
        return carry - 1, jnp.log(carry)

    with jax.debug_nans(True), pytest.raises(FloatingPointError):
        lax.scan(step, float(LONG - 2), None, length=LONG)
    assert compiled[0] == "scan"  # Then the step in which it is, by single operations.


def test_a_loop_is_given_up_with_its_function() -> None:
    """The program of a loop has the arrays that its function closes over."""
    held = jnp.ones(3)
    array = weakref.ref(held)

    def run(captured: Any) -> None:
        lax.fori_loop(0, LONG, lambda i, x: x * 0.5 + captured, jnp.zeros(3))

    run(held)
    del held
    gc.collect()
    assert array() is None
