# category: leak-attribute
import jax
import jax.numpy as jnp


class Basis:
    def __init__(self, degree):
        self.degree = degree
        self._nodes = None

    @property
    def nodes(self):
        if self._nodes is None:
            self._nodes = jnp.cos(jnp.pi * jnp.arange(self.degree) / self.degree)  #! OAK103
        return self._nodes


basis = Basis(5)


@jax.jit
def interpolate(values):
    return values * basis.nodes


interpolate(jnp.ones(5))
print(jnp.sum(basis.nodes))  #~ UnexpectedTracerError
