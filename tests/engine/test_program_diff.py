# pyright: basic
# Functions of arrays that are tracers as well have no types for the strict mode.
"""Which two traces of a function are different programs: so `oakum run` finds impure functions."""

from collections.abc import Callable
from typing import Any

import pytest

import oakum
from oakum import numpy as jnp
from oakum.transforms.jit.program_diff import difference

Traced = Callable[[Any], Any]


def _programs(one: Traced, two: Traced) -> Any:
    x = jnp.ones(3)
    return difference(oakum.make_jaxpr(one)(x), oakum.make_jaxpr(two)(x))


@pytest.mark.parametrize(
    "function",
    [
        lambda x: x.at[5].get(mode="fill", fill_value=float("nan")),
        lambda x: jnp.where(x > 0, x, float("nan")),
        lambda x: oakum.lax.cond(x[0] > 0, jnp.sin, jnp.cos, x),
        lambda x: oakum.lax.scan(lambda c, y: (c + y, c * y), 0.0, x),
    ],
    ids=["fill value that is NaN", "constant that is NaN", "branches", "loop"],
)
def test_a_program_is_no_other_than_itself(function: Traced) -> None:
    """Each run of a pure function would be reported as impure."""
    assert _programs(function, function) is None


@pytest.mark.parametrize(
    ("one", "two", "says"),
    [
        (lambda x: x * 2.0, lambda x: x * 3.0, "A constant was 2.0, and is 3.0"),
        (lambda x: x[0], lambda x: x[1], "the second time"),
        (jnp.sin, jnp.cos, "An operation was sin, and is cos"),
        (lambda x: x + 1, lambda x: x + 1 + 1, "operations"),
        (lambda x: jnp.sum(x, 0), lambda x: x.sum(keepdims=True), "the second time"),
    ],
    ids=["number", "index", "operation", "length", "parameter"],
)
def test_what_has_changed_is_said(one: Traced, two: Traced, says: str) -> None:
    """A function that reads a clock or a counter would go unseen."""
    found = _programs(one, two)
    assert found is not None
    assert says in found.text
