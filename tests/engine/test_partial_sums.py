# pyright: basic
# Lambdas that are given to transformations have no types of their own for the strict mode.
"""Reductions over everything give the same numbers however many threads share them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tests.engine.compiled_programs import compare_compiled

import oakum
import oakum.numpy as jnp
from oakum.compile.cpu.cpu_backend import POLICY
from oakum.compile.executable import Executable
from oakum.compile.plan.steps import NestStep

SIZES = (1 << 19, (1 << 19) + 37)

REDUCTIONS: dict[str, Callable[[Any], Any]] = {
    "sum and value": lambda x: (jnp.sum(x), x + 1),
    "several": lambda x: jnp.sum(x) + jnp.max(x) * jnp.min(x),
    "variance": jnp.var,
    "standardised": lambda x: (x - jnp.mean(x)) / jnp.std(x),
    "softmax": oakum.nn.softmax,
    "half": lambda x: jnp.sum(x.astype(jnp.bfloat16)),
    "every third": lambda x: jnp.sum(jnp.where(jnp.arange(x.shape[0]) % 3 == 0, x, 0)),
}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", REDUCTIONS)
def test_parts_give_the_whole(name: str, size: int) -> None:
    x = np.random.default_rng(size).uniform(-1, 3, size).astype(np.float32)
    near = 1e-2 if name == "half" else 2e-4
    program = compare_compiled(REDUCTIONS[name], x, near=near)
    assert program.plan is not None
    nests = [step.nest for step in program.plan.steps if isinstance(step, NestStep)]
    parts = POLICY.reduction_parts
    assert any(nest.outer and nest.extents[nest.outer[0]] == parts for nest in nests)


@pytest.mark.parametrize("function", [jnp.max, jnp.sum, lambda x: jnp.any(x > 98)])
def test_integers_are_exact(function: Callable[[Any], Any]) -> None:
    x = np.random.default_rng(0).integers(-99, 99, SIZES[1]).astype(np.int32)
    compare_compiled(function, x)


def test_number_of_threads_changes_no_bit() -> None:
    x = np.random.default_rng(1).standard_normal(SIZES[1]).astype(np.float32)
    traced: Any = oakum.make_jaxpr(jnp.sum)(x)
    program = Executable(getattr(traced, "closed", traced))
    found: set[bytes] = set()
    try:
        for threads in (1, 2, 3):
            oakum.config.update("oakum_num_threads", threads)
            found.add(program([x])[0].tobytes())
    finally:
        oakum.config.update("oakum_num_threads", None)
    assert len(found) == 1
