# category: clean/axis-of-draws
"""A single draw between bounds of one element has their dimension."""

import jax
import jax.numpy as jnp


@jax.jit
def stratified(key):
    bounds = jnp.linspace(0.0, 1.0, 5)
    low, high = bounds[:-1, None], bounds[1:, None]
    keys = jax.random.split(key, 4)
    drawn = jax.vmap(jax.random.uniform, in_axes=(0, None, None, 0, 0))(
        keys, (), jnp.float32, low, high
    )
    return jax.vmap(lambda each: each * 2)(drawn.squeeze(axis=-1))


print(stratified(jax.random.key(0)).shape)
