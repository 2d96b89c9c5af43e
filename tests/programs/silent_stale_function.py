# category: silent/impure-global-read
"""A compiled function has kept the function that a later definition replaces."""

import jax
import jax.numpy as jnp


def penalty(w):
    return jnp.sum(jnp.abs(w))


@jax.jit
def objective(w, x):
    return jnp.sum((w - x) ** 2) + penalty(w)  #! OAK113


w, x = jnp.ones(3), jnp.zeros(3)
before = objective(w, x)


def penalty(w):
    return 10.0 * jnp.sum(w**2)


assert objective(w, x) == before
