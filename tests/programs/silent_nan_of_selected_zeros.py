# category: silent/nan-where-grad
"""A selection puts zeros where a root or a logarithm has an infinite derivative, and they are
multiples of something that varies, too: its derivative is zero times infinity.
"""

import jax
import jax.numpy as jnp


def spectrum(values):
    kept = jnp.where(values / values[0] >= 1e-3, values, 0)
    kept /= jnp.sum(kept)
    return jnp.sum(jnp.sqrt(kept))  #! OAK602


def radius(scale, squares, inside):
    radii = jnp.sqrt(scale * jnp.where(inside, squares, jnp.zeros(3)))  #! OAK602
    return jnp.where(inside, radii, 0.0).sum()


def surprise(weights, total, seen):
    share = jnp.where(seen, weights, 0.0) / jnp.maximum(total, 1e-6)
    return -jnp.log(share)[0]  #! OAK602


seen = jnp.array([True, True, False])
assert jnp.isnan(jax.grad(spectrum)(jnp.array([1.0, 0.5, 1e-6]))).any()
assert jnp.isnan(jax.grad(radius)(2.0, jnp.ones(3), seen))
assert jnp.isnan(jax.grad(surprise, argnums=1)(jnp.ones(3), 3.0, seen))
