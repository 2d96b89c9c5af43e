# category: python-branch-on-tracer
"""A density whose determinant is asked for its sign, by the field of the result."""

import jax
import jax.numpy as jnp


@jax.jit
def log_density(x, covariance):
    determinant = jnp.linalg.slogdet(covariance)
    if determinant.sign <= 0:  #! OAK201 #~ TracerBoolConversionError
        return -jnp.inf
    return -0.5 * (x @ jnp.linalg.solve(covariance, x) + determinant.logabsdet)


print(log_density(jnp.ones(3), jnp.eye(3)))
