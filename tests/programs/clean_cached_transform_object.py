# category: clean/leak-closure
from functools import lru_cache

import jax
import jax.numpy as jnp
import numpy as np


class Cosines:
    """The cosine transform of a number of samples, whose table is one of NumPy."""

    def __init__(self, samples):
        positions = np.arange(samples) + 0.5
        self.table = np.cos(np.pi / samples * positions * np.arange(samples)[:, None])

    def forward(self, signal):
        return self.table @ signal


@lru_cache(maxsize=None)
def cosines_of(samples):
    return Cosines(samples)


@jax.jit
def energy(signal):
    return jnp.sum(cosines_of(signal.size).forward(signal) ** 2)


print(energy(jnp.ones(4)))
print(cosines_of(4).forward(jnp.ones(4)))
