# category: clean/python-branch-on-tracer
import builtins
import itertools

import jax
import jax.numpy as jnp

widest, some = max, any


def depths(text):
    return [int(word) for word in text.split(",")]


@jax.jit
def pyramid(x):
    for depth in itertools.chain(depths("2,1"), depths("3"), [1]):
        if depth > 1:
            x = jnp.repeat(x, depth)
    return x


@jax.jit
def padded(x):
    # Under any name they are what they are: a wider pad is always there.
    if widest(2, 5) < 5 or builtins.max(1, 2) < 2 or not some([False, True]):
        if x > 0:
            return x
    return jnp.pad(x[None], widest(1, 2))


print(pyramid(jnp.arange(2.0)))
print(padded(jnp.ones(())))
