# category: clean/jit-in-loop
"""Static numbers that come back to a few values, and a function that calls for others rarely."""

import math
from functools import partial

import jax
import jax.numpy as jnp

traced = []


@partial(jax.jit, static_argnames=("rate",))
def update(w, rate):
    traced.append("update")
    return w - rate * 2.0 * w


def stepwise(step, total):
    if step < total // 2:
        return 0.1
    return 0.01


def train(w, steps):
    rate = 0.2
    for step in range(steps):
        w = update(w, rate=0.1 * 0.5 ** (step // 10))
        w = update(w, rate=stepwise(step, steps))
        w = update(w, rate=float(math.floor(step / 20)))
        w = update(w, rate)
        if step == steps // 2:
            rate *= 0.5
    return w


train(jnp.ones(2), 20)
assert len(traced) < 8
