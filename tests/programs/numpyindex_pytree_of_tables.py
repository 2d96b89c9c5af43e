# category: numpy-index-by-tracer
import jax
import jax.numpy as jnp
import numpy as np
from typing import NamedTuple


class Tables(NamedTuple):
    sin: np.ndarray
    cos: np.ndarray

    @classmethod
    def make(cls, n, dim):
        angle = np.outer(np.arange(n), 1.0 / 100.0 ** (np.arange(dim) / dim))
        return cls(np.sin(angle), np.cos(angle))

    def at(self, pos):
        return jax.tree.map(lambda t: t[pos], self)  #! OAK207 #~ TracerArrayConversionError


TABLES = Tables.make(16, 2)


def rotary(x, pos):
    s, c = TABLES.at(pos)
    return x * c + x[..., ::-1] * s


def decode(cache, x):
    def step(pos, token):
        return pos + 1, rotary(token, pos)

    return jax.lax.scan(step, cache, x)


print(rotary(jnp.ones(2), 3))
print(decode(0, jnp.ones((3, 2)))[1])
