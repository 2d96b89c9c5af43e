# category: silent/nan-where-grad
import jax
import jax.numpy as jnp


def swing(angle, limit):
    return jnp.sum(jnp.where(angle < limit, jnp.sqrt(jnp.cos(angle)), 0.0))  #! OAK602


def away(angle):
    return jnp.sum(jnp.where(angle > 0, jnp.log(1.0 - jnp.cos(angle)), 0.0))  #! OAK602


assert jnp.isnan(jax.grad(swing)(jnp.array([0.0, 2.0]), 1.5)).any()
assert jnp.isnan(jax.grad(away)(jnp.array([0.0, 2.0]))).any()
