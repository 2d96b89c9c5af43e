# category: clean/carry-mismatch
"""NumPy makes 64-bit arrays, which JAX takes as 32-bit ones before a loop or branch begins."""

import jax
import jax.numpy as jnp
import numpy as np

start = np.array([0.25, 2.0, 0.25])


def halve(_, carry):
    values, total = carry
    return values * 0.5, total + values.sum()


print(jax.lax.fori_loop(0, 2, halve, (start, start.sum())))
print(jax.lax.while_loop(lambda c: c.sum() > 1, lambda c: jnp.tanh(c), start))
print(jax.lax.scan(lambda c, x: (c + x, None), start, np.arange(6.0).reshape(2, 3)))
print(jax.lax.cond(start.sum() > 0, lambda x: x, lambda x: jnp.ones(3), start))
