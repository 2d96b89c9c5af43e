# pyright: basic
# Functions of arrays that are tracers as well have no types for the strict mode.
"""Random programs give what they give when they are interpreted, however they are fused."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import oakum
from oakum import lax
from oakum import numpy as jnp
from oakum.compile.executable import Executable
from oakum.tracing.ir import ClosedJaxpr, run_closed

SHAPES = ((), (1,), (5,), (3, 4), (4, 3), (2, 3, 4), (12,), (1, 4), (9, 33), (33, 9))


@dataclass(frozen=True)
class Step:
    """One operation on values made before, by their numbers."""

    name: str
    operands: tuple[int, ...]
    choice: int


def elementwise(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda choice, x, *rest: function(x, *[fitted(y, x.shape) for y in rest])


def fitted(y: Any, shape: tuple[int, ...]) -> Any:
    """The elements of an array in another shape, as far as they go, and again."""
    size, have = math.prod(shape), math.prod(y.shape)
    flat = jnp.ravel(y)
    if have < size:
        flat = jnp.concatenate([flat] * -(-size // have)) if have > 1 else flat[0] + jnp.zeros(size)
    return flat[:size].reshape(shape)


def axis_of(x: Any, choice: int) -> int:
    return choice % x.ndim


def reduced(function: Callable[..., Any]) -> Callable[..., Any]:
    def apply(choice: int, x: Any) -> Any:
        if not x.ndim:
            return x
        axis = axis_of(x, choice) if choice % 5 else None
        return function(x, axis=axis, keepdims=choice % 2 == 0)

    return apply


def moved(function: Callable[[Any, int], Any]) -> Callable[..., Any]:
    return lambda choice, x: function(x, axis_of(x, choice)) if x.ndim else x


def padded(x: Any, axis: int) -> Any:
    config = [(0, 0, 0)] * x.ndim
    config[axis] = (1, -1, 1) if x.shape[axis] > 2 else (2, 1, 0)
    return lax.pad(x, jnp.float32(0.25), config)


def product(choice: int, x: Any, y: Any) -> Any:
    if not x.ndim or not y.ndim:
        return x * 2
    first, second = x.reshape(-1, x.shape[-1]), y.reshape(y.shape[0], -1)
    return first @ fitted(second, (first.shape[1], second.shape[1]))


def repeated(choice: int, x: Any, y: Any) -> Any:
    other = fitted(y, x.shape)
    if choice % 3 == 0:
        return lax.fori_loop(0, choice % 4, lambda i, c: c * 0.5 + other, x)
    if choice % 3 == 1:
        return lax.cond(jnp.sum(other) > 0, lambda a: a + other, jnp.sin, x)
    last, rows = lax.scan(lambda c, v: (c + jnp.sum(v), c * v), jnp.float32(0), x.reshape(-1))
    return rows.reshape(x.shape) + last


OPERATIONS: dict[str, tuple[int, Callable[..., Any]]] = {
    "add": (2, elementwise(lambda x, y: x + y)),
    "mul": (2, elementwise(lambda x, y: x * y)),
    "sub": (2, elementwise(lambda x, y: x - y * 0.5)),
    "where": (2, elementwise(lambda x, y: jnp.where(x > y, x, y * 2))),
    "sin": (1, elementwise(jnp.sin)),
    "tanh": (1, elementwise(jnp.tanh)),
    "cast": (1, elementwise(lambda x: x.astype(jnp.int32).astype(jnp.float32))),
    "sum": (1, reduced(jnp.sum)),
    "max": (1, reduced(jnp.max)),
    "mean": (1, reduced(jnp.mean)),
    "spread": (2, lambda choice, x, y: x[..., None] + jnp.ravel(y)[:3]),
    "transpose": (1, lambda choice, x: jnp.transpose(x)),
    "swap": (1, lambda choice, x: jnp.moveaxis(x, 0, -1) if x.ndim else x),
    "flat": (1, lambda choice, x: jnp.ravel(x)),
    "rows": (1, lambda choice, x: x.reshape(-1, x.shape[-1]) if x.ndim else x.reshape(1, 1)),
    "reverse": (1, moved(lambda x, axis: jnp.flip(x, axis))),
    "slice": (
        1,
        moved(lambda x, axis: lax.slice_in_dim(x, x.shape[axis] // 3, x.shape[axis], 1, axis)),
    ),
    "stride": (1, moved(lambda x, axis: lax.slice_in_dim(x, 0, x.shape[axis], 2, axis))),
    "join": (2, lambda choice, x, y: jnp.concatenate([jnp.ravel(x), jnp.ravel(y)])),
    "pad": (1, moved(padded)),
    "take": (1, moved(lambda x, axis: jnp.take(x, jnp.array([0, -1, 0]), axis))),
    "set": (2, lambda choice, x, y: x.at[..., 0].add(jnp.sum(y)) if x.ndim else x + 1),
    "product": (2, product),
    "repeat": (2, repeated),
    "softmax": (1, lambda choice, x: oakum.nn.softmax(x) if x.ndim else x),
}


@st.composite
def programs(draw: st.DrawFn) -> tuple[list[tuple[int, ...]], list[Step], list[int]]:
    """Shapes of arguments, operations, and which values are results."""
    shapes = draw(st.lists(st.sampled_from(SHAPES), min_size=1, max_size=3))
    steps: list[Step] = []
    for _ in range(draw(st.integers(1, 12))):
        name = draw(st.sampled_from(sorted(OPERATIONS)))
        have = len(shapes) + len(steps)
        # Values made lately are taken more often: chains are what is fused.
        late = st.integers(max(0, have - 3), have - 1)
        count = OPERATIONS[name][0]
        operands = tuple(draw(late | st.integers(0, have - 1)) for _ in range(count))
        steps.append(Step(name, operands, draw(st.integers(0, 11))))
    last = len(shapes) + len(steps) - 1
    results = draw(st.lists(st.integers(0, last), max_size=2))
    return shapes, steps, [*results, last]


def function_of(steps: Sequence[Step], results: Sequence[int]) -> Callable[..., Any]:
    def function(*arguments: Any) -> list[Any]:
        values = list(arguments)
        for step in steps:
            _, operation = OPERATIONS[step.name]
            value = operation(step.choice, *[values[n] for n in step.operands])
            values.append(value[..., :40] if value.ndim and value.size > 4000 else value)
        return [values[n] for n in results]

    return function


@settings(
    deadline=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(programs(), st.integers(0, 2**32 - 1))
def test_compiled_programs_give_what_interpreted_ones_give(
    program: tuple[list[tuple[int, ...]], list[Step], list[int]], seed: int
) -> None:
    """`jax.jit` of a program computes something else than the program."""
    shapes, steps, results = program
    random = np.random.default_rng(seed)
    arguments = [random.uniform(-2, 2, shape).astype("float32") for shape in shapes]
    closed: ClosedJaxpr = oakum.make_jaxpr(function_of(steps, results))(*arguments)
    given_results = Executable(closed)(arguments)
    wanted = run_closed(np, closed, arguments)
    for x, y in zip(given_results, wanted, strict=True):
        assert x.dtype == y.dtype
        finite = np.isfinite(y)
        scale = float(np.max(np.abs(y[finite]), initial=1.0))
        np.testing.assert_allclose(x, y, rtol=1e-3, atol=1e-4 * scale)
