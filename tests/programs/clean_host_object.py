# category: clean/leak-attribute
import jax
import jax.numpy as jnp


class Filter:
    def __init__(self, gain):
        self.mean = jnp.zeros(())
        self.gain = gain
        self.traces = 0
        self._update = jax.jit(self._pure)

    def _pure(self, mean, x):
        self.traces += 1  #? OAK112
        self.last_shape = x.shape
        return mean + self.gain * (x.mean() - mean)

    def observe(self, x):
        self.mean = self._update(self.mean, x)
        return float(self.mean)


f = Filter(0.5)
print([f.observe(jnp.full(2, v)) for v in (1.0, 3.0)], f.traces, f.last_shape)
