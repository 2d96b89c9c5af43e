# category: clean/scalar-cast-of-tracer
import math

import jax
import jax.numpy as jnp


class PositionalEncoding:
    def __init__(self, base=1e4):
        self.log_base = math.log(base)

    def __call__(self, x):
        length, width = x.shape
        half = int(math.ceil(width / 2))
        rates = jnp.exp(-self.log_base * jnp.arange(half) / float(half))
        angles = jnp.arange(length)[:, None] * rates
        table = jnp.concatenate([jnp.sin(angles), jnp.cos(angles)], axis=1)[:, :width]
        return x + table * math.sqrt(x.size)


print(jax.jit(PositionalEncoding())(jnp.zeros((3, 5))).shape)
