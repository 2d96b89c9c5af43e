# category: silent/impure-side-effect
import collections

import jax
import jax.numpy as jnp

stats = collections.defaultdict(int)


def count(name):
    def decorate(fn):
        def inner(*args):
            stats[name] += 1  #! OAK112
            return fn(*args)

        return inner

    return decorate


@jax.jit
@count("energy")
def energy(x):
    return jnp.sum(jnp.sin(x))


x = jnp.ones(2)
for _ in range(3):
    x = x - 0.1 * energy(x)
print(x, dict(stats))
