# pyright: basic
# Functions of arrays that are tracers as well have no types for the strict mode.
"""Loops, branches and mapped functions in one another give compiled what they give evaluated."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engine.agreement_nests import Nest, shapes
from tests.engine.agreement_running import differences, traced
from tests.engine.agreement_values import Chance
from tests.engine.compiled_programs import compare_compiled

import oakum
from oakum import lax
from oakum import numpy as jnp
from oakum.compile.executable import Executable
from oakum.tracing.ir import ClosedJaxpr, run_closed


def whole_program(seed: int) -> tuple[ClosedJaxpr, list[Any]]:
    """A program of integers, and arguments."""
    chance = Chance(seed)

    def function() -> list[Any]:
        nest = Nest(chance.getrandbits(32), shapes(chance), smooth=False)
        return nest.grown([], chance.randint(2, 14))[-chance.randint(1, 3) :]

    return traced(chance, function)


def _derivatives(chance: Chance, function: Callable[..., Any], given: Sequence[Any]) -> list[Any]:
    """Derivatives of a function, of one of the kinds that there are."""

    def total(*arguments: Any) -> Any:
        return jnp.sum(jnp.sin(function(*arguments)))

    places, tangents = tuple(range(len(given))), tuple(jnp.cos(x) for x in given)
    match chance.choice(("value", "grad", "grad", "jvp", "hessian", "vmap", "vjp", "linearize")):
        case "value":
            return [function(*given)]
        case "grad":
            return [*oakum.grad(total, places)(*given)]
        case "jvp":
            return [*oakum.jvp(function, tuple(given), tangents)]
        case "hessian":
            return [oakum.jvp(oakum.grad(total), tuple(given), tangents)[1]]
        case "vmap":
            several = [jnp.stack([x, x * 0.5, jnp.sin(x)]) for x in given]
            return [*oakum.vmap(oakum.grad(total, places))(*several)]
        case "vjp":
            result, pull = oakum.vjp(function, *given)
            return [result, *pull(jnp.cos(result))]
        case _:
            result, push = oakum.linearize(function, *given)
            return [result, push(*tangents)]


def smooth_program(seed: int) -> tuple[ClosedJaxpr, list[Any]]:
    """A program of floats with derivatives of a function, and arguments."""
    chance = Chance(seed)

    def function() -> list[Any]:
        nest = Nest(chance.getrandbits(32), shapes(chance), smooth=True)
        arguments = [nest.leaf() for _ in range(chance.randint(1, 2))]
        body = nest.body(chance.randint(1, 7), [nest.shape()])
        return _derivatives(chance, lambda *given: body(*given)[0], arguments)

    return traced(chance, function)


@settings(max_examples=80)
@given(seed=st.integers(0, 2**32))
def test_programs_of_integers_agree_in_every_bit(seed: int) -> None:
    """A loop, a branch or what stands around it gives other numbers under `jax.jit`."""
    with oakum.enable_x64(True), np.errstate(all="ignore"):
        closed, raws = whole_program(seed)
        found = differences(closed, raws)
    assert not found, f"{found} in {closed} of {raws}"


@settings(max_examples=60)
@given(seed=st.integers(0, 2**32))
def test_derivatives_agree(seed: int) -> None:
    """`jax.grad` of a function gives other numbers under `jax.jit`."""
    with oakum.enable_x64(True), np.errstate(all="ignore"):
        closed, raws = smooth_program(seed)
        results, wanted = Executable(closed)(raws), run_closed(np, closed, raws)
    for x, y in zip(results, wanted, strict=True):
        scale = float(np.max(np.abs(y[np.isfinite(y)]), initial=1.0))
        np.testing.assert_allclose(x, y, rtol=1e-8, atol=1e-8 * scale, err_msg=str(closed))


def _scaled(x: Any, rows: Any) -> tuple[Any, Any]:
    """A scan that reads rows and makes others."""
    return lax.scan(lambda c, row: (c + row.sum(), row * c), x, rows)


def _rows_twice(x: Any, none: Any) -> Any:
    total, rows = _scaled(x, none + x)
    return _scaled(total, rows)[0]


def _rows_of_a_branch(x: Any, none: Any) -> Any:
    def both(rows: Any) -> tuple[Any, Any]:
        return _scaled(x, rows)[1], _scaled(x, rows)[0]

    rows, total = lax.cond(x > 1, both, lambda rows: (rows, x), none * x)
    return _scaled(total, rows)[1].sum()


def _rows_carried(x: Any, none: Any) -> Any:
    def turn(i: Any, state: tuple[Any, Any, Any]) -> tuple[Any, Any, Any]:
        one, other, total = state
        return other + 1, one, total + _scaled(total, other)[1].sum()

    one, _, total = lax.fori_loop(0, 3, turn, (none * x, none + x, x))
    return _scaled(x, one)[1].sum() + total


@pytest.mark.parametrize("function", [_rows_twice, _rows_of_a_branch, _rows_carried])
def test_no_rows(function: Callable[[Any, Any], Any]) -> None:
    """A loop or a branch that hands on an array without elements is not compiled."""
    compare_compiled(function, np.float32(2), np.zeros((0, 3), np.float32))
