# category: clean/leak-iterator
import itertools

import jax
import jax.numpy as jnp


def keys(key):
    while True:
        key, sub = jax.random.split(key)
        yield sub


@jax.jit
def init(key, sizes=None):
    stream = keys(key)
    pairs = itertools.pairwise((2, 4, 3))
    names = iter("abc")
    return {next(names): jax.random.normal(next(stream), pair) for pair in pairs}


params = init(jax.random.key(0))
batches = iter([jnp.ones((1, 2)), jnp.zeros((1, 2))])
embed = jax.jit(lambda p, b: b @ p["a"])
print([embed(params, batch).shape for batch in batches])
