# category: clean/nan-where-grad
"""Lengths that are kept off zero before their root is taken, or compared with something else."""

import jax
import jax.numpy as jnp

CUTOFF = 2.5


def length_of(vector):
    squares = jnp.sum(vector**2)
    apart = squares > 0
    root = jnp.sqrt(jnp.where(apart, squares, 1.0))
    return jnp.where(apart, root, 0.0)


def unit(vector):
    length = length_of(vector)
    return vector / jnp.where(length == 0.0, 1.0, length)


def within(positions):
    distance = jnp.linalg.norm(positions[0] - positions[1])
    return jnp.where(distance < CUTOFF, (distance - CUTOFF) ** 2, 0.0)


def beyond(vector):
    radius = jnp.sqrt(jnp.sum(vector**2) + 1e-9)
    return jnp.where(radius > 0, radius, 0.0)


def counted(weights, vector):
    radius = jnp.linalg.norm(vector)
    return jnp.sum(weights) * jnp.where(radius > 0, radius, 0.0)


zeros = jnp.asarray([float(word) for word in "0 0 0".split()])
assert jnp.isfinite(jax.grad(length_of)(zeros)).all()
assert jnp.isfinite(jax.jacrev(unit)(zeros)).all()
assert jnp.isfinite(jax.grad(within)(jnp.arange(6.0).reshape(2, 3))).all()
assert jnp.isfinite(jax.grad(beyond)(zeros)).all()
assert jnp.isfinite(jax.grad(counted)(jnp.ones(2), zeros)).all()
