# category: clean/range-of-tracer
from functools import partial

import jax
import jax.numpy as jnp


class Integrator:
    """`self` is static: hashable by identity, its integers drive Python loops."""

    def __init__(self, substeps, order):
        self.substeps = substeps
        self.order = order

    @partial(jax.jit, static_argnums=0)
    def advance(self, y, dt):
        h = dt / self.substeps
        for _ in range(self.substeps):
            y = self._taylor(y, h)
        return y

    def _taylor(self, y, h):
        term, out = y, y
        for k in range(1, self.order + 1):
            term = -term * h / k
            out = out + term
        for axis in range(y.ndim):
            out = out - 0.0 * jnp.sum(y, axis=axis, keepdims=True)
        for row in range(y.shape[0]):
            out = out.at[row].add(0.0)
        return out


print(Integrator(4, 3).advance(jnp.ones((2, 2)), 0.1))
