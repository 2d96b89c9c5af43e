# category: clean/nan-where-grad
"""Bounds that keep an argument off the edge, or whose derivative is chosen, not multiplied."""

import jax
import jax.numpy as jnp

EPSILON = 1e-6


def tank(h, u):
    flow = jnp.sqrt(jnp.maximum(h, 0.0) + EPSILON)
    return h + 0.1 * (u - flow), flow


def drained(u, h):
    return jax.lax.scan(tank, h, u)[1].sum()


def angle(a, b):
    return jnp.arccos(jnp.clip(jnp.dot(a, b), -1.0 + EPSILON, 1.0 - EPSILON))


def clamped(x):
    return jnp.arccos(jax.lax.clamp(-1.0, x, 1.0))


def rectified(x):
    return jnp.sqrt(jax.nn.relu(x))


def selected(x):
    positive = x > 0.0
    return jnp.where(positive, jnp.sqrt(jnp.maximum(jnp.where(positive, x, 1.0), 0.0)), 0.0)


def smooth(x):
    return jnp.maximum(x, 0.0) ** 1.5 + jnp.log(jnp.minimum(x**2 + 1.0, 1.0))


def of_data(w, x):
    return w * jnp.sqrt(jnp.maximum(x, 0.0))


@jax.custom_jvp
def safe_angle(x):
    return jnp.arccos(jnp.clip(x, -1.0, 1.0))


@safe_angle.defjvp
def safe_angle_jvp(primals, tangents):
    (x,), (t,) = primals, tangents
    return safe_angle(x), -t / jnp.sqrt(jnp.maximum(1.0 - x**2, EPSILON))


assert jnp.isfinite(jax.grad(safe_angle)(2.0))
assert jnp.isfinite(jax.grad(drained)(jnp.zeros(3), -1.0)).all()
assert jnp.isfinite(jax.grad(angle)(jnp.array([2.0, 0.0]), jnp.array([1.0, 0.0]))).all()
for function in (clamped, rectified, selected, smooth):
    assert jnp.isfinite(jax.grad(function)(-2.0))
assert jnp.isfinite(jax.grad(of_data)(1.0, -1.0))
assert jnp.isfinite(jnp.sqrt(jnp.maximum(-1.0, 0.0)))
