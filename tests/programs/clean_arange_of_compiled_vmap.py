# category: clean/traced-shape
"""A number of steps that is static where the map is compiled."""

import sys

import jax.numpy as jnp
from jax import jit, lax, vmap


def integrate(dynamics, start, controls, step, count):
    def advance(state, index):
        following = state + step * dynamics(state, controls[index])
        return following, following

    return lax.scan(advance, start, jnp.arange(count))


def pull(state, control):
    return control - state


def mapped_alone(x, count):
    return x + jnp.arange(count)


in_parallel = jit(vmap(integrate, in_axes=(None, 0, 0, None, None)), static_argnums=(0, 4))
alone = vmap(mapped_alone, in_axes=(0, None))
run = getattr(sys.modules[__name__], "in_" + "parallel")
print(run(pull, jnp.zeros(2), jnp.ones((2, 3)), 0.1, 3))
print(getattr(sys.modules[__name__], "al" + "one")(jnp.zeros(2), 3))
