import jax.numpy as jnp


def gravity(height):
    return -9.81 * jnp.ones_like(height)
