# category: scalar-cast-of-tracer
"""A length that is not concrete is replaced; the cast behind it is not."""

import jax
import jax.numpy as jnp


def steps_of(path):
    try:
        count = int(jnp.sum(path < 3.0))
    except jax.errors.ConcretizationTypeError:
        count = path.shape[0]
    return [float(path[i]) for i in range(count)]  #! OAK204 #~ ConcretizationTypeError


@jax.jit
def total(path):
    return sum(steps_of(path))


print(steps_of(jnp.arange(4.0)))
total(jnp.arange(4.0))
