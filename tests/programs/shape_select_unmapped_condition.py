# category: shape-of-selected
"""A mask that is the same for all rows chooses between two numbers."""

import jax
import jax.numpy as jnp
from jax import lax

mask = jnp.array([True, False, True])


@jax.vmap
def weighted(row):
    weights = lax.select(mask, 1.0, 0.0)  #! OAK501  #~ TypeError
    return row * weights


print(weighted(jnp.ones((2, 3))))
