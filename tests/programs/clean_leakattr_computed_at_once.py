# category: clean/leak-attribute
import functools

import jax
import jax.numpy as jnp


class Basis:
    def __init__(self, degree):
        self.degree = degree
        self._nodes = None

    @property
    def nodes(self):
        if self._nodes is None:
            with jax.ensure_compile_time_eval():
                self._nodes = jnp.cos(jnp.pi * jnp.arange(self.degree) / self.degree)
        return self._nodes


@functools.cache
def powers(count):
    with jax.ensure_compile_time_eval():
        exponents = jnp.arange(count)
        return 2.0**exponents


basis = Basis(5)


@jax.jit
def interpolate(values):
    return values * basis.nodes * powers(5)


interpolate(jnp.ones(5))
print(jnp.sum(basis.nodes), powers(5) + 1.0)
