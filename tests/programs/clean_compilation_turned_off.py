# category: clean/python-branch-on-tracer
"""Where compilation is turned off, loops and jitted functions run in Python."""

import jax
import jax.numpy as jnp


def reward(action):
    if action == 0:
        return jnp.float32(1.0)
    return jnp.float32(-1.0)


@jax.jit
def play(action):
    return jax.lax.fori_loop(0, 3, lambda i, total: total + reward(action), jnp.float32(0.0))


with jax.disable_jit():
    print(play(jnp.array(0)), play(jnp.array(1)))
