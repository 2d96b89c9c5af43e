# category: clean/nan-where-grad
"""A selection leaves out the derivative with what it leaves out, and puts numbers off an edge."""

import jax
import jax.numpy as jnp


def spectrum(values):
    large = values / values[0] >= 1e-3
    kept = jnp.where(large, values, 0)
    kept /= jnp.sum(kept)
    return jnp.sum(jnp.where(large, jnp.sqrt(jnp.where(large, kept, 1)), 0))


def radius(points, inside):
    squares = jnp.where(inside, points[:, 0] ** 2 + points[:, 1] ** 2, 0.0)
    scaled = points[:, 0] * squares
    return jnp.where(inside, jnp.sqrt(2.0 * squares), 0.0).sum() + jnp.sqrt(scaled + 1e-6).sum()


def floored(scale, squares, inside):
    return jnp.sqrt(jnp.maximum(scale * jnp.where(inside, squares, 0.0), 1e-6)).sum()


def surprise(weights, total, seen):
    return -jnp.log(jnp.where(seen, weights, 1.0) / jnp.maximum(total, 1e-6))[0]


def length(weights, seen):
    return jnp.sqrt(jnp.where(seen, weights, 0.0).sum() * weights[0])


def rate(z, step):
    """The derivative of this logarithm is infinite at -1, and not at the zeros."""
    return z * jnp.log1p(step / z)


def growth(z, step):
    large = z >= 8.0
    safe_z, safe_step = jnp.where(large, z, 8.0), jnp.where(large, step, 0.0)
    return jnp.where(large, rate(safe_z, safe_step), jnp.sin(z)).sum()


seen = jnp.array([True, True, False])
assert jnp.isfinite(jax.grad(spectrum)(jnp.array([1.0, 0.5, 1e-6]))).all()
assert jnp.isfinite(jax.grad(radius)(jnp.ones((3, 2)), seen)).all()
assert jnp.isfinite(jax.grad(floored)(2.0, jnp.ones(3), seen))
assert jnp.isfinite(jax.grad(surprise, argnums=1)(jnp.ones(3), 3.0, seen))
assert jnp.isfinite(jax.grad(length)(jnp.ones(3), seen)).all()
by_both = jax.grad(growth, argnums=(0, 1))(jnp.array([1.0, 9.0]), jnp.ones(2))
assert all(jnp.isfinite(each).all() for each in by_both)
