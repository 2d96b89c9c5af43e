# category: silent/nan-gradient
"""Removable singularities that `where` masks by the magnitude of what another function divides by."""

import jax
import jax.numpy as jnp


def _series(t):
    return 0.5 + t / 3.0 + t**2 / 8.0


def _formula(t):
    return ((t - 1.0) * jnp.exp(t) + 1.0) / t**2


def slope(x):
    size = jnp.abs(x)
    return jnp.where(size <= 1e-3, _series(x), _formula(x))  #! OAK602


def sinc(w, x):
    u = w * x
    u2 = jnp.square(u)
    return jnp.sum(jnp.where(u2 < 1e-8, 1.0, jnp.sin(u) / u))  #! OAK602


assert jnp.isnan(jax.grad(slope)(0.0))
assert jnp.isnan(jax.grad(sinc)(1.0, jnp.array([0.0, 1.0])))
