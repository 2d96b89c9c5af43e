# category: scalar-cast-of-tracer
"""The sensitivity of a step to its parameters, of which the step logs its own slope."""

import jax
import jax.numpy as jnp


def energy(params):
    return params["k"] * params["x"] ** 2


def step(params):
    slope = jax.grad(energy)(params)
    size = float(slope["x"])  #! OAK204 #~ ConcretizationTypeError
    return params["x"] - 0.1 * slope["x"], size


start = {"k": jnp.float32(2.0), "x": jnp.float32(1.0)}
print(step(start))
print(jax.jacfwd(step, has_aux=True)(start))
