# pyright: basic
# Functions of whichever module they are given have no types for the strict mode.
"""The most memory that a call adds to what is there before it."""

from __future__ import annotations

from collections.abc import Iterator

from cpu_workloads.rows import Probe

PROGRAM = """
import resource, sys
import numpy as np
import {peer} as jax
import {peer}.numpy as jnp
from {peer} import lax

def peak():
    try:
        with open("/proc/self/status") as file:
            return next(int(l.split()[1]) * 1024 for l in file if l.startswith("VmHWM"))
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024

def forget_peak():
    try:
        with open("/proc/self/clear_refs", "w") as file:
            file.write("5")
    except OSError:
        pass

BODY

arguments = make(SIZE_OF_WARM_UP)
jax.block_until_ready(function(*arguments))
arguments = make(SIZE)
forget_peak()
before = peak()
jax.block_until_ready(function(*arguments))
print(max(peak() - before, 4096))
"""

CHAIN = """
@jax.jit
def function(x):
    for _ in range(5):
        x = jnp.sin(x) * 2 + x
    return x

def make(n):
    return [jnp.asarray(np.ones(n, np.float32))]
"""

SOFTMAX = """
@jax.jit
def function(x):
    return jax.nn.softmax(x, axis=-1)

def make(n):
    return [jnp.asarray(np.ones((n, n), np.float32))]
"""

LOSS = """
@jax.jit
def function(x):
    return jnp.sum(jnp.exp(-(x[:, None] - x[None]) ** 2))

def make(n):
    return [jnp.asarray(np.ones(n, np.float32))]
"""

GRADIENT = """
@jax.jit
def function(ws, x):
    def loss(ws):
        y = x
        for w in ws:
            y = jnp.tanh(y @ w)
        return jnp.sum(y)
    return jax.grad(loss)(ws)

def make(n):
    w = jnp.asarray(np.full((n, n), 1 / n, np.float32))
    return [[w] * 4, jnp.asarray(np.ones((4 * n, n), np.float32))]
"""

LOOP = """
@jax.jit
def function(x):
    return lax.fori_loop(0, 20, lambda i, y: y * 0.9 + jnp.sin(y), x)

def make(n):
    return [jnp.asarray(np.ones(n, np.float32))]
"""


def rows() -> Iterator[Probe]:
    """What fusion, reuse of buffers and loops in place are to save."""
    yield _probe("chain of 15, 1e+07", CHAIN, 10_000_000)
    yield _probe("softmax, 3000x3000", SOFTMAX, 3000)
    yield _probe("sum over pairs, 5000", LOSS, 5000)
    yield _probe("gradient of 4 layers, 1000", GRADIENT, 1000)
    yield _probe("loop of 20 steps, 1e+07", LOOP, 10_000_000)


def _probe(name: str, body: str, size: int) -> Probe:
    # The first call, with other shapes, loads what the peer needs for any.
    program = PROGRAM.replace("BODY", body).replace("SIZE_OF_WARM_UP", "64")
    return Probe(name, program.replace("SIZE", str(size)), "bytes")
