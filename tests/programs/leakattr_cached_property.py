# category: leak-attribute
from functools import cached_property, partial

import jax
import jax.numpy as jnp


class Mesh:
    def __init__(self, n):
        self.n = n

    @cached_property  #| OAK103 #| OAK104
    def nodes(self):
        return jnp.linspace(0.0, 1.0, self.n)  #| OAK103 #| OAK104

    @property
    def spacing(self):
        return 1.0 / (self.n - 1)

    @partial(jax.jit, static_argnums=0)
    def integrate(self, coeff):
        return jnp.sum(coeff * self.nodes) * self.spacing  #| OAK103 #| OAK104


mesh = Mesh(5)
print(mesh.integrate(2.0))
print(jnp.diff(mesh.nodes))  #~ UnexpectedTracerError
