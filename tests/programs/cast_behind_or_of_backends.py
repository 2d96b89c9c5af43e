# category: scalar-of-tracer
# What stands behind `or` runs where the first operand does not hold: here, on JAX.
import os

import jax
import jax.numpy as jnp

backend = os.environ.get("SOLVER_BACKEND", "jax")


def residual(x):
    return jnp.sqrt(jnp.sum(x * x))


@jax.jit
def converged(x):
    return backend == "numpy" or float(residual(x)) < 1e-6  #! OAK204 #~ ConcretizationTypeError


print(converged(jnp.ones(3)))
