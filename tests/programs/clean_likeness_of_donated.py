# category: clean/donation
"""What is made in the likeness of a donated array reads none of its elements."""

from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, donate_argnums=0)
def step(weights, gradient):
    return weights - 0.1 * gradient


weights = jnp.ones(3)
stepped = step(weights, jnp.ones(3))
moments = jnp.zeros_like(weights)
mask = jnp.full_like(weights, 1.0)
print(stepped + moments * mask)
