"""Runs of compiled programs beside their evaluation: the option `oakum_verify`.

What it has to see is planted: faults that a compiler makes, in plans that were right.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from tests.engine import planted_faults as faults

import oakum as jax
import oakum.numpy as jnp
from oakum import config, lax
from oakum.compile.plan.steps import Plan
from oakum.compile.program.driver import DriverWriter, Source
from oakum.errors import MiscompiledProgramError


@pytest.fixture(autouse=True)
def _verified() -> Iterator[None]:
    before = config.verify.get_global()
    config.verify.set_global(True)
    yield
    config.verify.set_global(before)


Program = Callable[[Any, Any], Any]


def elements(x: Any, y: Any) -> Any:
    scaled = x * 3.0 + y
    return jnp.maximum(scaled, 0.5) - scaled.sum(), jnp.exp(y)


def running(x: Any, y: Any) -> Any:
    sums = jnp.cumsum(jnp.tile(x, 8))
    return sums, jnp.sin(sums) * 2.0


def chained(x: Any, y: Any) -> Any:
    sums, others = jnp.cumsum(x), jnp.cumsum(y)
    both = jnp.cumsum(sums * others)
    return jnp.cumsum(both[::-1] + others[::-1]), jnp.cumsum(sums[::-1] * both)


def multiplied(x: Any, y: Any) -> Any:
    return jnp.tanh(x.reshape(8, 8) @ y.reshape(8, 8))


def solved(x: Any, y: Any) -> Any:
    lower = jnp.tril(x.reshape(8, 8)) + 8 * jnp.eye(8)
    return lax.linalg.triangular_solve(lower, y.reshape(8, 8), left_side=True, lower=True)


def sorted_with(x: Any, y: Any) -> Any:
    return lax.sort_key_val(x, y)


def scanned(x: Any, y: Any) -> Any:
    def turn(carry: Any, each: Any) -> Any:
        one, two = carry
        return (jnp.sin(one) + each, two * 0.5 - one), one - two

    return lax.scan(turn, (jnp.float32(0), jnp.float32(1)), x)


def looped(x: Any, y: Any) -> Any:
    def turn(state: Any) -> Any:
        count, value = state
        return count + 1, value * 0.5 + y

    def goes_on(state: Any) -> Any:
        return state[0] < 5

    return lax.while_loop(goes_on, turn, (0, x))


def branched(x: Any, y: Any) -> Any:
    return lax.cond(x[0] > 100, lambda: x * 2.0, lambda: y + 1.5)


FAULTS = """
    elements wrong_constant
    elements wrong_operation
    elements wrong_offset_of_a_load
    elements wrong_offset_of_a_store
    elements store_before_the_beginning
    elements last_element_not_written
    elements step_left_out
    elements read_of_unwritten_scratch
    running reversed_accumulation
    running read_of_unwritten_scratch
    chained read_before_it_is_written
    chained steps_swapped
    chained shared_scratch
    multiplied factors_swapped
    solved kernel_of_other_memory
    sorted_with host_results_swapped
    scanned wrong_operation
    scanned carried_values_swapped
    scanned step_left_out
    looped wrong_constant
    looped wrong_offset_of_a_load
    branched wrong_constant
    branched branches_swapped
"""


def operands() -> tuple[Any, Any]:
    rng = np.random.default_rng(0)
    x, y = (jnp.asarray(rng.standard_normal(64), "float32") for _ in range(2))
    return x, y


@pytest.mark.parametrize("names", FAULTS.strip().splitlines(), ids=str.strip)
def test_planted_fault_is_reported(names: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A user would get a wrong number from code that has such a fault, and nothing would say so."""
    of_program, of_fault = names.split()
    program: Program = globals()[of_program]
    fault: faults.Change = getattr(faults, of_fault)
    expected = program(*operands())
    write = DriverWriter.write

    def write_with_fault(self: DriverWriter, plan: Plan) -> Source:
        assert faults.plant(plan, fault), "there is nothing to change"
        return write(self, plan)

    for right, wanted in zip(
        jax.tree_util.tree_leaves(jax.jit(program)(*operands())),
        jax.tree_util.tree_leaves(expected),
        strict=True,
    ):
        np.testing.assert_allclose(right, wanted, rtol=1e-4, atol=1e-4)
    monkeypatch.setattr(DriverWriter, "write", write_with_fault)

    def again(x: Any, y: Any) -> Any:
        return program(x, y)

    with pytest.raises(MiscompiledProgramError) as raised:
        jax.jit(again)(*operands())
    message, frame = str(raised.value), raised.value.frame
    assert "differs from its evaluation in step " in message
    assert "\n  equation: " in message
    assert "OAK009" in message
    lines, first = inspect.getsourcelines(program)
    assert frame is not None
    assert frame.file == __file__
    assert frame.line in range(first, first + len(lines))


def test_run_is_left_where_a_fault_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who waits for the end of a long loop does not hear of the fault in its first round."""
    write = DriverWriter.write

    def write_with_fault(self: DriverWriter, plan: Plan) -> Source:
        assert faults.plant(plan, faults.wrong_operation)
        return write(self, plan)

    def long(x: Any) -> Any:
        def turn(carry: Any, each: Any) -> Any:
            return jnp.sin(carry) + x, None

        return lax.scan(turn, x, None, length=10**9)

    monkeypatch.setattr(DriverWriter, "write", write_with_fault)
    with pytest.raises(MiscompiledProgramError, match="in a loop or branch"):
        jax.jit(long)(jnp.ones(3))
