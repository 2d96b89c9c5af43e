# category: clean/leak-attribute
from functools import cached_property, partial, wraps

import jax
import jax.numpy as jnp
import numpy as np


def count_traces(fn):
    @wraps(fn)
    def inner(self, *args):
        self.traces += 1  #? OAK112
        return fn(self, *args)

    return inner


class Mesh:
    def __init__(self, n):
        self.n = n
        self.traces = 0
        self.last_shape = None

    @cached_property
    def nodes(self):
        return np.linspace(0.0, 1.0, self.n)

    @cached_property
    def mass(self):
        """Evaluated before the first trace, so it holds a concrete array."""
        return jnp.full(self.n, 1.0 / self.n)

    @count_traces
    def weights(self, x):
        self.last_shape = x.shape
        return x * self.nodes

    @partial(jax.jit, static_argnums=0)
    def integrate(self, x):
        local = Mesh(self.n)
        local.values = self.weights(x)
        return jnp.sum(local.values)


mesh = Mesh(3)
print(mesh.mass.sum(), mesh.integrate(jnp.ones(3)), mesh.traces, mesh.last_shape)
mesh.result = mesh.integrate(jnp.arange(3.0))
print(mesh.result + 1.0)
