# category: silent/new-default-in-each-call
from functools import partial

import jax
import jax.numpy as jnp

compiled = []


@partial(jax.jit, static_argnames=("sensor", "noise"))
def simulate(state, sensor, noise):
    compiled.append(state.shape)
    return sensor(state) + noise(state)


def execute(state, sensor=None, noise=None):
    seen = sensor if sensor is not None else (lambda state: state)
    if noise is None:
        noise = lambda state: jnp.zeros_like(state)  # noqa: E731
    return simulate(
        state,
        sensor=seen,  #! OAK308
        noise=noise,  #! OAK308
    )


for step in range(3):
    execute(step * jnp.ones(2))
assert len(compiled) == 3
