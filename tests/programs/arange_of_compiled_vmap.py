# category: traced-shape
"""A number that no axis is mapped over is traced all the same, by what compiles the map."""

import sys

import jax.numpy as jnp
from jax import jit, lax, vmap


def integrate(dynamics, start, controls, step, count):
    def advance(state, index):
        following = state + step * dynamics(state, controls[index])
        return following, following

    return lax.scan(advance, start, jnp.arange(count))  #! OAK211 #~ ConcretizationTypeError


def pull(state, control):
    return control - state


in_parallel = jit(vmap(integrate, in_axes=(None, 0, 0, None, None)), static_argnums=0)
run = getattr(sys.modules[__name__], "in_" + "parallel")
print(run(pull, jnp.zeros(2), jnp.ones((2, 3)), 0.1, 3))
