# pyright: basic
# Arrays of dtypes that NumPy does not know have no types for the strict mode.
"""Plans of random programs are right, whatever of their values is returned.

No code is made, so that many programs are looked at. `OAKUM_PLANS=20000 pytest -m exhaustive -s
tests/engine/test_plan_verify_random.py` takes the first so many seeds, `OAKUM_PLANS=10000:20000`
those from one to another: so processes share the work.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import pytest
from tests.engine.agreement_nests import Nest, shapes
from tests.engine.agreement_running import traced
from tests.engine.agreement_values import Chance
from tests.engine.test_compiled_nests import smooth_program

import oakum
from oakum import numpy as jnp
from oakum.compile import backend, plan_verify
from oakum.compile.executable import prepare
from oakum.compile.plan import buffer_assignment
from oakum.compile.plan.planner import Planner, Shared
from oakum.compile.plan_verify.errors import PlanError
from oakum.tracing.ir import ClosedJaxpr, Jaxpr, Var

_EACH = 100
"""So many programs are a test."""


def _seeds() -> range:
    first, _, last = os.environ.get("OAKUM_PLANS", "300").rpartition(":")
    return range(int(first or 0), int(last))


def _parts(chance: Chance, x: Any) -> list[Any]:
    """A part of an array, and what reads each of its elements."""
    flat = jnp.ravel(x)
    if flat.size < 3:
        return [x]
    part = chance.choice((flat[1:], flat[:-1], flat[::2], flat[::-1], flat))
    find = chance.choice((jnp.argmax, jnp.argmin, jnp.max, jnp.cumsum, jnp.sort, oakum.nn.softmax))
    return [part, find(part)]


def program(seed: int) -> ClosedJaxpr:
    """A random program that returns some of the values that others are computed of."""
    chance = Chance(seed)
    if chance.often(0.3):
        closed, _ = smooth_program(seed)
    else:

        def function() -> list[Any]:
            nest = Nest(chance.getrandbits(32), shapes(chance), smooth=chance.often(0.5))
            values = nest.grown([], chance.randint(2, 10))
            last = values[-chance.randint(1, 3) :]
            return [*last, *[each for x in last for each in _parts(chance, x)]]

        closed, _ = traced(chance, function)
    return _with_results(chance, closed)


def _with_results(chance: Chance, closed: ClosedJaxpr) -> ClosedJaxpr:
    """The program with some of the values inside it among its results."""
    old = closed.jaxpr
    inner = [v for eqn in old.eqns for v in eqn.outputs if isinstance(v, Var)]
    more = chance.sample(inner, min(len(inner), chance.randint(0, 4)))
    results = [*old.outvars, *more]
    return ClosedJaxpr(Jaxpr(old.constvars, old.invars, results, old.eqns, old.name), closed.consts)


def planned(seed: int) -> None:
    """Plans a program, with some arguments given away, and verifies the plan."""
    closed = program(seed)
    donated = [Chance(seed + n).often(0.3) for n in range(len(closed.in_avals))]
    lowering = backend.of("cpu").lowering()
    plan = Planner(prepare(closed, lowering), Shared(lowering)).plan()
    try:
        plan_verify.finish_verified(plan, lowering, buffer_assignment.aliases_of(plan, donated))
    except PlanError as error:
        raise AssertionError(f"seed {seed}: {error} in {closed}") from error


def _plan_all(seeds: range) -> None:
    with oakum.enable_x64(True), np.errstate(all="ignore"):
        for seed in seeds:
            planned(seed)


def test_some_plans_of_random_programs() -> None:
    """Memory of a program is shared wrongly: wrong numbers under `jax.jit`."""
    _plan_all(range(20))


@pytest.mark.exhaustive
@pytest.mark.parametrize("first", range(_seeds().start, _seeds().stop, _EACH))
def test_plans_of_random_programs(first: int) -> None:
    """Memory of a program is shared wrongly: wrong numbers under `jax.jit`."""
    _plan_all(range(first, min(first + _EACH, _seeds().stop)))
