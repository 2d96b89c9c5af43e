# category: clean/scalar-cast
"""What is no Python number is converted as an array: a tracer is none, whatever it is given."""

import jax
import jax.numpy as jnp
import numpy as np


def cast(x, kind, texts=False):
    if isinstance(x, (int, float, np.integer, np.floating)) or (texts and isinstance(x, str)):
        return kind(x)
    return jnp.astype(x, kind)


class Profile:
    def value(self, k):
        return jnp.abs(cast(k, float)) - 0.5

    def solve(self, start):
        return jax.jit(self.value)(start)


def scan(points, steps):
    return jax.lax.fori_loop(0, steps, lambda i, x: cast(x, float) + cast(i, float), points)


print(Profile().solve(2), scan(jnp.zeros(3), 4), cast("2.5", float, texts=True))
