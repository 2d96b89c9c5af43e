# pyright: basic
# Functions of whichever module they are given have no types for the strict mode.
"""From the first call of a new function to its result: tracing, compiling, linking, running.

Each call has a function with another number in it, so that nobody finds it in a cache. Objects are
kept on disk: with the same numbers in each run, a second run on the same state took a quarter to a
half of the time of the first. So each run begins with numbers of its own.
"""

from __future__ import annotations

import functools
import itertools
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from cpu_workloads.rows import Call, Probe, Row

X = np.linspace(0.1, 1, 64, dtype=np.float32)


@functools.cache
def _first_number() -> int:
    """Returns where the numbers of this run begin, the same for all peers."""
    return time.time_ns() % 2**22


def rows() -> Iterator[Row | Probe]:
    """Chains of operations, one after another and entangled; a step of training."""
    for count in (1, 10, 200, 2000):
        yield _row(f"chain of {count}", lambda j, n, c=count: _chain(j, n, c), count == 2000)
    yield _row("reductions, 30", _reductions)
    yield _row("MLP step", _training, tolerance=1e-3)
    yield _row("scan", _scan)
    yield _row("entangled chain of 40", lambda j, n: _entangled(j, n, 40))
    for count in (200, 2000):
        program = ENTANGLED.replace("COUNT", str(count))
        name = f"entangled chain of {count}, own process"
        nothing_kept = {"OAKUM_ENABLE_COMPILATION_CACHE": "0"}
        yield Probe(name, program, "ns", heavy=count > 200, limit=100, environment=nothing_kept)


def _row(
    name: str,
    make: Callable[[Any, float], Callable[..., Any]],
    heavy: bool = False,
    tolerance: float | None = None,
) -> Row:
    def build(j: Any) -> Call:
        numbers = itertools.count(_first_number())
        x = j.numpy.asarray(X)

        def first_call() -> Any:
            # Each is another number in 32 bits, too.
            return j.jit(make(j, 1 + next(numbers) / 2**23))(x)

        return Call("ready(first_call())", {"first_call": first_call, "ready": j.block_until_ready})

    return Row(name, build, heavy=heavy, first_calls=True, tolerance=tolerance)


def _chain(j: Any, number: float, count: int) -> Callable[..., Any]:
    def function(x: Any) -> Any:
        operations = (
            lambda y: y * number,
            j.numpy.sin,
            lambda y: y + 0.5,
            j.numpy.tanh,
            lambda y: y * y,
        )
        for place in range(count):
            x = operations[place % len(operations)](x)
        return x

    return function


def _reductions(j: Any, number: float) -> Callable[..., Any]:
    def function(x: Any) -> Any:
        x = x.reshape(8, 8) * number
        for _ in range(10):
            x = j.nn.softmax(x, axis=-1) + x - x.mean(axis=0)
        return x

    return function


def _training(j: Any, number: float) -> Callable[..., Any]:
    def function(x: Any) -> Any:
        x = x.reshape(4, 16)
        weights = [j.numpy.full((16, 16), number / 16), j.numpy.full((16, 4), 0.1)]

        def loss(weights: Any) -> Any:
            return j.numpy.mean(j.nn.softmax(j.numpy.tanh(x @ weights[0]) @ weights[1])[:, 0])

        slopes = j.grad(loss)(weights)
        return [w - 0.1 * g for w, g in zip(weights, slopes, strict=True)]

    return function


def _scan(j: Any, number: float) -> Callable[..., Any]:
    def function(x: Any) -> Any:
        def step(h: Any, y: Any) -> Any:
            h = j.numpy.tanh(h * number + y)
            return h, h

        return j.lax.scan(step, j.numpy.zeros(8), x.reshape(8, 8))[1]

    return function


def _entangled(j: Any, number: float, count: int) -> Callable[..., Any]:
    def function(x: Any) -> Any:
        y = x * number
        for _ in range(count // 4):
            x, y = j.numpy.sin(y) + x, j.numpy.cos(x) * y
        return x + y

    return function


ENTANGLED = """
import time
import numpy as np
import {peer} as jax
import {peer}.numpy as jnp

def function(x):
    y = x * 1.5
    for _ in range(COUNT // 4):
        x, y = jnp.sin(y) + x, jnp.cos(x) * y
    return x + y

x = jnp.asarray(np.linspace(0.1, 1, 64, dtype=np.float32))
jax.jit(lambda x: x + 1)(x).block_until_ready()
begun = time.perf_counter()
jax.jit(function)(x).block_until_ready()
print((time.perf_counter() - begun) * 1e9)
"""
