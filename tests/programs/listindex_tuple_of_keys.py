# category: list-index-by-tracer
from functools import partial

import jax
import jax.numpy as jnp


def evolve(parents, fitness, key):
    """Tournament selection between two random parents."""
    i, k = jax.random.randint(key, (2,), 0, len(parents))
    winner = jnp.where(fitness[i] > fitness[k], i, k)
    return parents[winner]  #! OAK206 20 #~ TracerIntegerConversionError


@partial(jax.jit, static_argnames="n")
def generation(parents, key, n):
    fitness = jnp.stack([p.sum() for p in parents])
    keys = jax.random.split(key, n)
    return [evolve(parents, fitness, k) for k in keys]


parents = tuple(jnp.full(2, v) for v in (1.0, 2.0, 3.0))
print(len(generation(parents, jax.random.key(0), 2)))
