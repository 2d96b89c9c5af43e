# pyright: basic
# Functions of whichever module they are given have no types for the strict mode.
"""How long a new process takes until it has something to show."""

from __future__ import annotations

import compileall
from collections.abc import Iterator
from pathlib import Path

from cpu_workloads.rows import Probe

IMPORT = "import {peer}.numpy"

FIRST = """
import {peer} as jax, {peer}.numpy as jnp
jax.jit(lambda x: x * 2 + 1)(jnp.arange(3.0)).block_until_ready()
"""

EAGER = """
import {peer}.numpy as jnp
(jnp.arange(3.0) + 1).block_until_ready()
"""

MODEL = """
import {peer} as jax, {peer}.numpy as jnp, numpy as np
def loss(w, x):
    return jnp.mean(jax.nn.softmax(jnp.tanh(x @ w))[:, 0])
step = jax.jit(lambda w, x: w - 0.1 * jax.grad(loss)(w, x))
w, x = jnp.asarray(np.ones((16, 8), np.float32)), jnp.asarray(np.ones((4, 16), np.float32))
step(w, x).block_until_ready()
"""


def rows() -> Iterator[Probe]:
    """Whole processes; oakum finds objects in its cache where a row does not say otherwise."""
    # Installed packages have their bytecode, also where the environment has Python write none.
    compileall.compile_dir(Path(__file__).parents[2] / "engine", quiet=2)
    yield Probe("import", IMPORT, "ns", whole=True)
    yield Probe("first compiled result", FIRST, "ns", whole=True)
    nothing_kept = {"OAKUM_ENABLE_COMPILATION_CACHE": "0"}
    name = "first compiled result, no cache"
    yield Probe(name, FIRST, "ns", whole=True, environment=nothing_kept)
    yield Probe("first operation", EAGER, "ns", whole=True)
    yield Probe("first step of a model", MODEL, "ns", whole=True)
    yield Probe(
        "first step of a model, no cache", MODEL, "ns", whole=True, environment=nothing_kept
    )
