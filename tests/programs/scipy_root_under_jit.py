# category: numpy-call-on-tracer
"""Edges of redshift bins are roots that SciPy looks for: of a function of what is traced."""

import jax
import jax.numpy as jnp
from scipy.integrate import quad
from scipy.optimize import brentq


def density(z, scale):
    return jnp.exp(-z / scale)


def edge(scale):
    return brentq(lambda z: density(z, scale) - 0.5, 0.0, 5.0)  #! OAK208 #~ TracerArrayConversionError


def edge_on_host(scale):
    return brentq(lambda z: float(density(z, scale)) - 0.5, 0.0, 5.0)


def mass(scale):
    total, _ = quad(density, 0.0, 1.0, args=(scale,))
    return total


@jax.jit
def shifted(x, scale):
    return x + edge(scale)


print(edge_on_host(1.5), mass(1.5))
print(jax.jit(lambda x, e: x + e)(jnp.ones(2), edge_on_host(1.5)))
shifted(jnp.ones(2), 1.5)
