# category: silent/nan-where-grad
import jax
import jax.numpy as jnp


def radial(squares, cutoff):
    r = jnp.sqrt(squares)
    inside = (squares > 0) & (r < cutoff)
    return jnp.sum(jnp.where(inside, jnp.exp(-r), 0.0))  #! OAK602


def entropy(p, valid):
    used = jnp.logical_and(p > 0, valid)
    return -jnp.sum(jnp.where(used, p * jnp.log(p), 0.0))  #! OAK602


assert jnp.isnan(jax.grad(radial)(jnp.array([0.0, 1.0]), 2.0)).any()
assert jnp.isnan(jax.grad(entropy)(jnp.array([0.0, 1.0]), jnp.array([True, True]))).any()
