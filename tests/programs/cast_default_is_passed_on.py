# category: scalar-cast-of-tracer
"""The scale is left out of both functions, and computed under the trace."""

import jax
import jax.numpy as jnp


def scaled(x, scale=None):
    if scale is None:
        scale = float(jnp.max(x))  #! OAK204 #~ ConcretizationTypeError
    return x / scale


def loss(x, scale=None):
    return jnp.sum(scaled(x, scale))


print(jax.jit(loss)(jnp.ones(3)))
