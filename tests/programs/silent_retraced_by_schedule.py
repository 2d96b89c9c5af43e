# category: silent/jit-in-loop
"""A static number that is computed from the counter of a loop, or from that of the last round."""

import math
from functools import partial

import jax
import jax.numpy as jnp

traced = []


@partial(jax.jit, static_argnames=("rate",))
def update(w, rate):
    traced.append("update")
    return w - rate * 2.0 * w


def cosine(step, total):
    return 0.5 * (1 + math.cos(math.pi * step / total))


def train(w, steps):
    for step in range(steps):
        w = update(w, rate=cosine(step, steps))  #! OAK308
    return w


def decayed(w):
    rate = 0.1
    for epoch in range(8):
        scale = 0.3 / (2 + epoch)
        w = update(w, rate=scale)  #! OAK308
        w = update(w, rate)  #! OAK308
        rate *= 0.9
    return w


train(jnp.ones(2), 10)
assert len(traced) >= 9
decayed(jnp.ones(3))
assert len(traced) >= 24
