# category: clean/leak-attribute
"""Rates go through a loop of JAX that leaves them as they are: each round notes a plain number."""

import jax
import jax.numpy as jnp


class Search:
    rate = None


def halve_until(limit, rate):
    return jax.lax.while_loop(
        lambda c: c[1] > limit, lambda c: (c[0], c[1] * c[0]), (rate, jnp.float32(8.0))
    )


@jax.jit
def search(limit):
    values = []
    for rate in (0.5, 0.25):
        Search.rate, value = halve_until(limit, rate)
        values.append(value)
    return jnp.stack(values)


print(search(1.0), Search.rate + 1)
