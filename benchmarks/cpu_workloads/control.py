# pyright: basic
# Functions of whichever module they are given have no types for the strict mode.
"""Loops and branches within compiled functions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from cpu_workloads.rows import Row, jitted, normal


def rows() -> Iterator[Row]:
    """Recurrent networks, iterations to a fixed point, branches, and derivatives of scans."""
    for steps, inputs, hidden, batch in (
        (100, 16, 32, 1),
        (1000, 16, 32, 1),
        (100, 64, 128, 1),
        (100, 16, 32, 8),
        (100, 64, 128, 16),
        (50, 64, 256, 64),
    ):
        name = f"RNN T={steps} D={inputs} H={hidden} B={batch}"
        arrays = normal(
            (steps, batch, inputs), (inputs, hidden), (hidden, hidden), (hidden,), scale=0.1
        )
        yield jitted(name, _network, arrays, heavy=steps == 1000)
    weights = normal((50, 8, 16), (16, 32), (32, 32), (32,), scale=0.1)
    yield jitted("grad of RNN T=50 H=32 B=8", _network_gradient, weights)
    yield jitted("scan, sums with results", _prefix, normal((1000, 32)), tolerance=1e-3)
    yield jitted("scan of a scalar, 10,000", _filtered, normal((10_000,)), heavy=True)
    yield jitted("fori, 10,000 Newton steps", _newton, _two, heavy=True)
    yield jitted("fori, 100 matrix steps of 64", _power, normal((64, 64), (64,), scale=0.1))
    yield jitted("while to convergence", _fixed_point, _two)
    yield jitted("while of vectors, 1000", _relaxed, normal((1000,)))
    yield jitted("cond", _branch, normal((1000,)))
    yield jitted("switch of 4", _switch, lambda: [*normal((1000,))(), np.int32(2)])
    yield jitted("map over 100 rows", _mapped, normal((100, 100)))
    yield jitted("vmap of while", _while_of_batch, normal((64,)))
    yield jitted("associative scan, 10,000", _associative, normal((10_000,)), tolerance=1e-3)


def _two() -> list[Any]:
    return [np.float32(2.0)]


def _network(j: Any, xs: Any, w: Any, u: Any, b: Any) -> Any:
    def step(h: Any, x: Any) -> Any:
        h = j.numpy.tanh(x @ w + h @ u + b)
        return h, h

    start = j.numpy.zeros((xs.shape[1], u.shape[0]), xs.dtype)
    return j.lax.scan(step, start, xs)[1]


def _network_gradient(j: Any, xs: Any, w: Any, u: Any, b: Any) -> Any:
    def loss(*weights: Any) -> Any:
        return j.numpy.sum(_network(j, xs, *weights) ** 2)

    return j.grad(loss, argnums=(0, 1, 2))(w, u, b)


def _prefix(j: Any, xs: Any) -> Any:
    return j.lax.scan(lambda total, x: (total + x, total * 0.5), xs[0], xs)


def _filtered(j: Any, xs: Any) -> Any:
    def step(y: Any, x: Any) -> Any:
        y = 0.9 * y + 0.1 * x
        return y, y

    return j.lax.scan(step, j.numpy.float32(0), xs)[1]


def _newton(j: Any, x: Any) -> Any:
    return j.lax.fori_loop(0, 10_000, lambda _, y: y - (y * y - x) / (2 * y) * 0.01, x)


def _power(j: Any, a: Any, x: Any) -> Any:
    def step(_: Any, y: Any) -> Any:
        y = a @ y
        return y / j.numpy.sqrt(j.numpy.sum(y * y))

    return j.lax.fori_loop(0, 100, step, x)


def _fixed_point(j: Any, x: Any) -> Any:
    def unfinished(state: Any) -> Any:
        y, before, count = state
        return (j.numpy.abs(y - before) > 1e-6) & (count < 1000)

    def step(state: Any) -> Any:
        y, _, count = state
        return j.numpy.cos(y) * 0.99, y, count + 1

    return j.lax.while_loop(unfinished, step, (x, x + 1, 0))[0]


def _relaxed(j: Any, x: Any) -> Any:
    return j.lax.while_loop(
        lambda y: j.numpy.max(j.numpy.abs(y)) > 1e-3, lambda y: y * 0.9 + j.numpy.sin(y) * 0.01, x
    )


def _branch(j: Any, x: Any) -> Any:
    return j.lax.cond(x[0] > 10, lambda y: j.numpy.sin(y), lambda y: y * 2 + 1, x)


def _switch(j: Any, x: Any, i: Any) -> Any:
    branches = [lambda y, k=k: y * k + k for k in range(4)]
    return j.lax.switch(i, branches, x)


def _mapped(j: Any, x: Any) -> Any:
    return j.lax.map(lambda row: j.numpy.tanh(row) - j.numpy.mean(row), x)


def _while_of_batch(j: Any, x: Any) -> Any:
    def halved(y: Any) -> Any:
        return j.lax.while_loop(lambda z: j.numpy.abs(z) > 1e-2, lambda z: z * 0.5, y)

    return j.vmap(halved)(x)


def _associative(j: Any, x: Any) -> Any:
    return j.lax.associative_scan(lambda a, b: a + b, x)
