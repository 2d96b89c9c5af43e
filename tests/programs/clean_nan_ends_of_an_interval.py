# category: clean/nan-where-grad
"""What an interval is asked of is what is in it: the difference of its ends is nowhere zero."""

import jax
import jax.numpy as jnp


def log_uniform(x, low, high):
    inside = (x >= low) & (x <= high)
    return jnp.where(inside, -jnp.log(high - low), -jnp.inf)


def position(x, low, high):
    return jnp.where((low <= x) & (x <= high), (x - low) / (high - low), 0.0)


def score(x, low, high):
    return jnp.sum(jnp.exp(log_uniform(x, low, high)) + position(x, low, high))


for slope in jax.grad(score, argnums=(0, 1, 2))(jnp.array([0.0, 1.5]), jnp.ones(2), 2 * jnp.ones(2)):
    assert jnp.isfinite(slope).all()
