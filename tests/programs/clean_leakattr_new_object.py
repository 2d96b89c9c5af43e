# category: clean/leak-attribute
import copy
from types import SimpleNamespace

import jax
import jax.numpy as jnp


class Filter:
    def __init__(self, mean, var):
        self.mean = mean
        self.var = var

    def predict(self, q):
        new = copy.copy(self)
        new.var = self.var + q
        return new

    def update(self, z, r):
        gain = self.var / (self.var + r)
        out = Filter(self.mean, self.var)
        out.mean = self.mean + gain * (z - self.mean)
        out.var = (1 - gain) * self.var
        return out


@jax.jit
def track(mean, var, zs):
    state = Filter(mean, var)
    box = SimpleNamespace(total=0.0)
    for z in zs:
        state = state.predict(0.1).update(z, 0.5)
        box.total = box.total + state.mean
    return state.mean, box.total


print(track(0.0, 1.0, jnp.array([0.5, 0.7])))
host = Filter(jnp.zeros(1), jnp.ones(1))
host.mean = track(0.0, 1.0, jnp.ones(2))[0]
print(host.mean)
