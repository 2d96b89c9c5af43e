# category: non-jax-type-argument
import abc

import jax
import jax.numpy as jnp


class Filter(abc.ABC):
    def __init__(self, width):
        self.width = width

    @abc.abstractmethod
    def weigh(self, signal):
        """Weighs the samples of a signal."""


class Boxcar(Filter):
    @jax.jit
    def weigh(self, signal):
        return signal / self.width


print(Boxcar(4).weigh(jnp.arange(8.0)))  #! OAK306  #~ TypeError
