# category: leak-attribute
import abc

import jax
import jax.numpy as jnp


class Metric(abc.ABC):
    def update(self, *args):
        setattr(self, "value", self.compute(*args))  #! OAK103
        return self.value

    @abc.abstractmethod
    def compute(self, *args): ...


class PeakSignal(Metric):
    def compute(self, clean, noisy):
        return -10.0 * jnp.log10(jnp.mean((clean - noisy) ** 2))


metric = PeakSignal()
jax.jit(metric.update)(jnp.zeros(4), jnp.ones(4))
print(metric.value < 3.0)  #~ UnexpectedTracerError
