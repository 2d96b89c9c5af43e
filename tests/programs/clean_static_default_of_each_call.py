# category: clean/new-default-in-each-call
from functools import partial

import jax
import jax.numpy as jnp

compiled = []


@partial(jax.jit, static_argnames=("sensor", "noise"))
def simulate(state, sensor, noise):
    compiled.append(state.shape)
    return sensor(state) + noise(state)


def exact(state):
    return state


def none(state):
    return jnp.zeros_like(state)


def execute(state, sensor=None, noise=None):
    seen = sensor if sensor is not None else exact
    if noise is None:
        noise = none
    return simulate(state, sensor=seen, noise=noise)


def scaled(state, factor, sensor=None):
    # Another program for each factor, which is meant.
    sensor = sensor or (lambda state: factor * state)
    return simulate(state, sensor=sensor, noise=none)


for step in range(3):
    execute(step * jnp.ones(2))
scaled(jnp.ones(2), 2.0)
assert len(compiled) == 2
