# pyright: basic
# Functions of arrays that are tracers as well have no types for the strict mode.
"""How many kernels a program of a GPU launches, and which nests are one launch together."""

from __future__ import annotations

import itertools
import operator
import random
from typing import Any

import numpy as np
import pytest
from tests.engine.gpu_running import close, compiled, expected, normal, places

import oakum
import oakum.numpy as jnp
from oakum import lax
from oakum.compile.executable import Executable
from oakum.compile.loops.loop_ir import Affine, Buffer, Constant, Nest, Store, Sweep
from oakum.compile.nvptx import side_by_side
from oakum.compile.nvptx.gpu_backend import GpuBackend
from oakum.compile.plan.steps import NestStep, Plan
from oakum.dtypes import float32
from oakum.runtime import arrays
from oakum.runtime.emulator.emulated_device import EmulatedDevice
from oakum.tracing.ir import DONATED

pytestmark = pytest.mark.unverified  # Only the CPU's programs are watched while they run.

ROWS, OTHERS = normal(30, 64), normal(20, 64)

LAUNCHES: dict[str, tuple[int, Any, tuple[Any, ...]]] = {
    "gather": (1, lambda x, i: x[i], (ROWS, places(40, 30) - 15)),
    "gather of columns": (1, lambda x, i: jnp.take(x, i, axis=1), (ROWS, places(40, 64))),
    "scatter-add": (2, lambda x, i, u: x.at[i].add(u), (ROWS, places(20, 30) - 15, OTHERS)),
    "gradient of a gather": (
        2,
        oakum.grad(lambda w, i: jnp.sin(w[i]).sum()),
        (ROWS, places(40, 30)),
    ),
    "pad, then join": (
        2,
        lambda x, y: jnp.concatenate([jnp.pad(x, ((1, 2), (0, 0))), y]),
        (ROWS, OTHERS),
    ),
    "join": (1, lambda x, y: jnp.concatenate([x, y]), (ROWS, OTHERS)),
    "join columns": (1, lambda x: jnp.concatenate([x[:, 40:], x[:, :31]], 1), (ROWS,)),
    "pad": (1, lambda x: jnp.pad(x, ((1, 2), (3, 1))), (ROWS,)),
    "several results": (1, lambda x, y: (x.T + 1, y * 2, jnp.tanh(x[:9])), (ROWS[:, :7], OTHERS)),
}


class InOneArena(EmulatedDevice):
    """A device that has temporary buffers as a GPU of a machine has them."""

    keeps_buffers_apart = False


@pytest.mark.parametrize("name", LAUNCHES)
def test_a_program_launches_no_more_than(name: str) -> None:
    """Small programs take as long as their launches, each of which takes longer than its kernel."""
    count, function, args = LAUNCHES[name]
    device = EmulatedDevice()
    program, raws = compiled(function, args, device)
    before = device.counts.launches
    close(program(raws), expected(function, args))
    assert device.counts.launches - before == count, [each.title for each in program.kernels]


def test_nests_that_use_the_same_memory_stay_in_order() -> None:
    """A temporary array is written while another one, which lies there too, is still read."""

    def function(x: Any, y: Any) -> Any:
        sums = lax.cumsum(x)
        return sums * 2, lax.cumsum(jnp.sin(y))

    args = normal(500), normal(500, seed=1)
    program, raws = compiled(function, args, InOneArena())
    close(program(raws), expected(function, args))
    assert not any("side by side" in kernel.title for kernel in program.kernels)


def test_a_donated_argument_is_read_before_it_is_written() -> None:
    """A result reads an argument whose memory another result has taken."""
    closed: Any = oakum.make_jaxpr(lambda x, y: (x + y, x[::-1] * y))(normal(5000), normal(5000))
    closed = getattr(closed, "closed", closed)
    closed.cache[DONATED] = (True, False)
    device: Any = EmulatedDevice()
    made: Any = Executable(closed, GpuBackend(lambda: device))
    assert not made.refusal
    x, y = normal(5000), normal(5000, seed=1)
    total, product = (
        each.fetch((5000,), np.dtype("f4"))
        for each in made.run([arrays.as_array(x), arrays.as_array(y)])
    )
    assert np.array_equal(total, x + y)
    assert np.array_equal(product, x[::-1] * y)


def stored(chance: random.Random, buffer: Buffer) -> tuple[Nest, set[int]]:
    """A nest that stores at some elements, and which."""
    extents = tuple(chance.randint(1, 4) for _ in range(chance.randint(1, 3)))
    steps = [chance.choice([0, 1, 1, 2, 4, 8, 8, 16, -1]) for _ in extents]
    offset = Affine(tuple((a, c) for a, c in enumerate(steps) if c), chance.randint(20, 60))
    positions = itertools.product(*map(range, extents))
    found = {offset.constant + sum(map(operator.mul, steps, at)) for at in positions}
    sweep = Sweep((), (Constant(1.0, float32),), (Store(buffer, offset, 0),))
    return Nest(extents, tuple(range(len(extents))), (sweep,)), found


def test_stores_that_are_apart_write_no_element_twice() -> None:
    """Parts of an array are written in any order although they overlap."""
    buffer = Buffer(0, float32, 400, "out")
    chance = random.Random(0)
    together = 0
    for _ in range(4000):
        (one, first), (other, second) = stored(chance, buffer), stored(chance, buffer)
        plan = Plan([], [buffer], [NestStep(one), NestStep(other)])
        steps = list(side_by_side.joined(plan, {}))
        if len(steps) == 1:
            together += 1
            assert not first & second, (one, other)
    assert together > 400
