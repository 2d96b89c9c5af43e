# category: clean/numpy-call-on-tracer
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np


@partial(jax.custom_vjp, nondiff_argnums=(0, 2))
def quadrature(f, x, n):
    nodes, weights = np.polynomial.legendre.leggauss(n)
    return sum(float(w) * f(x * t) for w, t in zip(weights, nodes))


def _fwd(f, x, n):
    if n < 1:
        raise ValueError("n must be positive")
    return quadrature(f, x, n), x


def _bwd(f, n, x, g):
    nodes, weights = np.polynomial.legendre.leggauss(n)
    slope = jax.vmap(jax.grad(f))(x * nodes)
    return (g * jnp.sum(weights * nodes * slope),)


quadrature.defvjp(_fwd, _bwd)


@partial(jax.jit, static_argnames="n")
def loss(x, n=3):
    return quadrature(lambda t: jnp.exp(-t * t), x, n)


print(loss(1.0), jax.grad(loss)(1.0), jax.jit(jax.grad(partial(loss, n=2)))(0.5))
