# category: silent/nan-gradient
"""Distances of points from each other: a point is no distance from itself, and the square root has
no derivative there, squared again or not.
"""

import sys

import jax
import jax.numpy as jnp


def field(points, directions, width):
    total = jnp.zeros(3)
    for index in range(points.shape[0]):
        apart = points - points[index]
        squared = jnp.linalg.norm(apart, axis=1) ** 2  #! OAK602
        pulled = jnp.cross(directions[index], apart)
        total = total + (pulled / (squared + width)[:, None]).sum(axis=0)
    return total


def energy(points):
    lengths = jnp.linalg.norm(points[:, None] - points[None, :], axis=-1)  #! OAK602
    return jnp.sum(jnp.exp(-lengths))


@jax.vmap
def signed_root(x):
    return jnp.where(x >= 0.0, jnp.power(x, 1.0 / 3.0), -jnp.power(-x, 1.0 / 3.0))  #! OAK602


def call(name):
    return getattr(sys.modules[__name__], name)


points = jnp.arange(12.0).reshape(4, 3)
forces = jax.grad(lambda p: call("field")(p, jnp.ones((4, 3)), 0.1).sum())(points)
assert jnp.isnan(forces).any()
assert jnp.isnan(jax.grad(call("energy"))(points)).any()
assert jnp.isnan(jax.grad(lambda x: call("signed_root")(x).sum())(jnp.array([1.0, -1.0]))).any()
