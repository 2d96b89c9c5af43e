# category: clean/dtype-mismatch
"""Rows of raw keys of which mapped functions draw on either side of a branch."""

import sys

import jax
import jax.numpy as jnp


def noises(key, count, small):
    parts = jax.vmap(lambda part: jax.random.split(part, 4))(jax.random.split(key, count))
    first = parts[:, 0]
    if small:
        drawn = jax.vmap(lambda each: jax.random.uniform(each, (3,)))(first)
    else:
        drawn = jax.vmap(lambda each: jax.random.normal(each, (3,)))(first)
    return drawn


shape = noises(jax.random.PRNGKey(0), 5, len(sys.argv) > 1).shape
assert shape == (5, 3)
assert jnp.isfinite(noises(jax.random.PRNGKey(1), 5, True)).all()
