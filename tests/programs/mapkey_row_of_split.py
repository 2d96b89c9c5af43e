# category: shape-mismatch
import os

import jax
import jax.numpy as jnp


def jitter(point, key):
    return point + 0.1 * jax.random.normal(key, point.shape)


def scatter(points, key):
    key, part = jax.random.split(key)
    return jax.vmap(jitter)(points, part), key  #! OAK501  #~ ValueError


made = getattr(jax.random, os.environ.get("SCATTER_KEYS", "PRNGKey"))
print(scatter(jnp.zeros((5, 2)), made(0)))
