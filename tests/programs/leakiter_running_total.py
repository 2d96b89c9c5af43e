# category: leak-iterator
import itertools

import jax
import jax.numpy as jnp

totals = itertools.accumulate(itertools.count(1.0), lambda a, b: jnp.add(a, b))  #~ UnexpectedTracerError


def decay(x):
    return x / (1.0 + next(totals))  #! OAK105


@jax.jit
def step(x):
    for _ in range(2):
        x = decay(x)
    return x


print(step(jnp.ones(3)))
print(next(totals))
