# category: clean/nan-gradient
"""Removable singularities whose formula gets another argument where `where` masks it."""

import jax
import jax.numpy as jnp


def _series(t):
    return 0.5 + t / 3.0 + t**2 / 8.0


def _formula(t):
    return ((t - 1.0) * jnp.exp(t) + 1.0) / t**2


def slope(x):
    small = jnp.abs(x) <= 1e-3
    return jnp.where(small, _series(x), _formula(jnp.where(small, 1.0, x)))


def sinc(w, x):
    u = w * x
    u2 = jnp.square(u)
    apart = jnp.where(u2 < 1e-8, 1.0, u)
    return jnp.sum(jnp.where(u2 < 1e-8, 1.0, jnp.sin(apart) / apart))


def weighted(w, x):
    whole = jnp.floor(x)
    return jnp.sum(jnp.where(whole > 0, w / (x + 1.0), w))


assert jnp.isfinite(jax.grad(slope)(0.0))
assert jnp.isfinite(jax.grad(sinc)(1.0, jnp.array([0.0, 1.0])))
jax.grad(weighted)(1.0, jnp.ones(3))
