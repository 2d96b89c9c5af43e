# category: hash-of-tracer
import functools

import jax
import jax.numpy as jnp


class Tables:
    @staticmethod
    @functools.lru_cache(maxsize=None)
    def factorial(n):
        return 1.0 if n == 0 else n * Tables.factorial(n - 1)


def bernstein(x, k):
    c = Tables.factorial(k)  #! OAK216  #~ TypeError
    return c * x**k


print(jax.jit(jax.vmap(bernstein, in_axes=(None, 0)))(0.5, jnp.arange(3)))
