# category: silent/nan-where-grad
"""Lengths of vectors are taken out where they are zero: their derivative there is NaN."""

import jax
import jax.numpy as jnp


def repulsion(positions):
    gap = positions[0] - positions[1]
    distance = jnp.linalg.norm(gap)
    return jnp.where(distance > 0, distance, 0.0)  #! OAK602


def unit(vector):
    length = jnp.sqrt(jnp.sum(vector**2))
    length = jnp.where(length == 0.0, 1.0, length)  #! OAK602
    return vector / length


def energy(vector):
    radius = jnp.sum(vector**2) ** 0.5
    near = radius < 1e-6
    return jnp.where(near, 0.0, jnp.tanh(radius))  #! OAK602


zeros = jnp.asarray([float(word) for word in "0 0 0".split()])
assert jnp.isnan(jax.grad(repulsion)(jnp.stack([zeros, zeros]))).all()
assert jnp.isnan(jax.jacrev(unit)(zeros)).all()
assert jnp.isnan(jax.grad(energy)(zeros)).all()
