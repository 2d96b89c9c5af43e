# category: silent/nan-where-grad
"""Roots and arc functions of what is bounded at the very edge: beyond it the gradient is NaN."""

from functools import partial

import jax
import jax.numpy as jnp


def tank(h, u):
    flow = jnp.sqrt(jnp.maximum(h, 0.0))  #! OAK602
    return h + 0.1 * (u - flow), flow


def drained(u, h):
    return jax.lax.scan(tank, h, u)[1].sum()


def angle(a, b):
    cosine = jnp.dot(a, b)
    return jnp.arccos(jnp.clip(cosine, -1.0, 1.0))  #! OAK602


@partial(jax.jit, static_argnames="floor")
def spread(x, floor=0):
    variance = jnp.mean(x**2) - jnp.mean(x) ** 2 - 1.0
    return variance.clip(floor) ** 0.5  #! OAK602


def distance(u, v):
    inner = u[0] * v[0] - jnp.dot(u[1:], v[1:])
    return jnp.arccosh(jnp.maximum(1.0, inner))  #! OAK602


assert jnp.isnan(jax.grad(drained)(jnp.zeros(3), -1.0)).any()
assert jnp.isnan(jax.grad(angle)(jnp.array([2.0, 0.0]), jnp.array([1.0, 0.0]))).any()
assert jnp.isnan(jax.grad(spread)(jnp.ones(3))).all()
assert jnp.isnan(jax.grad(distance)(jnp.array([0.5, 0.0]), jnp.array([1.0, 0.0]))).any()
