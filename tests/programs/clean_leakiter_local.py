# category: clean/leak-iterator
import itertools

import jax
import jax.numpy as jnp


def pairs(xs):
    it = iter(xs)
    prev = next(it)
    for cur in it:
        yield prev, cur
        prev = cur


@jax.jit
def chain_energy(beads):
    counter = itertools.count(1)
    total = 0.0
    for a, b in pairs(beads):
        total = total + next(counter) * jnp.sum((a - b) ** 2)
    first = next(w for w in beads if w.ndim == 1)
    zipped = dict(zip("xy", beads))
    return total + first.sum() + zipped["x"].sum()


stream = iter([jnp.ones(2), jnp.zeros(2), jnp.full(2, 3.0)])
print(chain_energy(list(stream)))
keys = iter(jax.random.split(jax.random.key(0), 2))
print(chain_energy([jax.random.normal(next(keys), (2,)), jax.random.normal(next(keys), (2,))]))
