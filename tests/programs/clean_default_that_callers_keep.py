# category: clean/traced-shape
"""Defaults that are static, tested for None, or that the calls here are content with."""

from functools import partial

import jax
import jax.numpy as jnp
from jax import Array


@partial(jax.jit, static_argnames="width")
def smoothed(signal, width=3):
    return jnp.convolve(signal, jnp.ones(width) / width, mode="same")


@jax.jit
def relaxed(field, sweeps=4):
    for _ in range(sweeps):
        field = field - 0.1 * field
    return field


@jax.jit
def scaled(field, power=2):
    return jnp.abs(field) ** power


@jax.jit
def weighted(loss, weights: Array | None = None):
    if weights is None:
        weights = jnp.ones_like(loss)
    return jnp.sum(loss * weights)


@jax.jit
def total(tree: dict | None = None):
    return sum(jnp.sum(leaf) for leaf in tree.values()) if tree else 0.0


print(smoothed(jnp.arange(5.0), 5), relaxed(jnp.ones(3)), scaled(jnp.ones(2), 3))
print(weighted(jnp.ones(2)), weighted(jnp.ones(2), jnp.ones(2)), total({"a": jnp.ones(2)}))
