# category: leak-closure
from functools import lru_cache

import jax
import jax.numpy as jnp


class Cosines:
    """The cosine transform of a number of samples."""

    def __init__(self, samples):
        positions = jnp.arange(samples) + 0.5  #? OAK104
        self.table = jnp.cos(jnp.pi / samples * positions * jnp.arange(samples)[:, None])  #? OAK104

    def forward(self, signal):
        return self.table @ signal  #~ UnexpectedTracerError


@lru_cache(maxsize=None)
def cosines_of(samples):
    return Cosines(samples)  #| OAK104


@jax.jit
def energy(signal):
    return jnp.sum(cosines_of(signal.size).forward(signal) ** 2)


print(energy(jnp.ones(4)))
print(cosines_of(4).forward(jnp.ones(4)))
