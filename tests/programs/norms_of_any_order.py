# category: clean/static-argument-type
"""Orders of norms, and degrees of freedom, may be floats: the maximum norm has the order `inf`."""

import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def scale_bound(weights):
    rows = jnp.linalg.norm(weights, ord=jnp.inf)
    columns = jnp.linalg.norm(weights, ord=1)
    return jnp.sqrt(rows * columns) + jnp.linalg.matrix_norm(weights, ord=np.inf)


@jax.jit
def spread(samples):
    smooth = jnp.linalg.vector_norm(samples, ord=2.5)
    return smooth + samples.var(ddof=1.5) + jnp.linalg.norm(samples, float("inf"))


print(scale_bound(jnp.eye(3)), spread(jnp.arange(4.0)))
