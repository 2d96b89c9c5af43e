# category: traced-shape
"""Whoever passes what has a default passes a tracer: as a size, a bound, and a truth value."""

import sys

import jax
import jax.numpy as jnp
from jax import Array


@jax.jit
def smoothed(signal, width=3):
    window = jnp.ones(width) / width  #! OAK211 #~ TypeError
    return jnp.convolve(signal, window, mode="same")


@jax.jit
def relaxed(field, sweeps=4):
    for _ in range(sweeps):  #! OAK205
        field = field - 0.1 * field
    return field


@jax.jit
def weighted(loss, weights: Array | None = None):
    weights = weights or jnp.ones_like(loss)  #! OAK203
    return jnp.sum(loss * weights)


@jax.jit
def masked(loss: Array, mask: Array):
    if mask:  #! OAK201
        return jnp.sum(loss * mask)
    return jnp.sum(loss)


def main(name):
    library = sys.modules[__name__]
    print(getattr(library, name)(jnp.arange(5.0)))
    print(getattr(library, name)(jnp.arange(5.0), width=5))


main("".join(["smo", "othed"]))
