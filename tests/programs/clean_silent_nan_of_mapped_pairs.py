# category: clean/nan-gradient
"""Rows of two arrays need not meet themselves; where those of one do, they are kept apart, softened,
or other parts of them are compared.
"""

import sys
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames=("softening",))
def attraction(body, other, mass, softening):
    away = body[:2] - other[:2]
    distance = jnp.sqrt(jnp.sum(away**2) + softening**2)
    return mass * away / distance**3


@partial(jax.jit, static_argnames=("softening",))
def accelerations(bodies, masses, softening=0.1):
    def of_one(body):
        each = jax.vmap(lambda other, mass: attraction(body, other, mass, softening))
        return each(bodies, masses).sum(axis=0)

    return jax.vmap(of_one)(bodies)


def exponential(one, two):
    same = jnp.all(one == two)
    squares = jnp.where(same, 1.0, jnp.sum((one - two) ** 2))
    return jnp.where(same, 1.0, jnp.exp(-jnp.sqrt(squares)))


def gram(points):
    rows = jax.vmap(exponential, in_axes=(None, 0))
    return jax.vmap(rows, in_axes=(0, None))(points, points)


def cross(points, anchors):
    return jax.vmap(lambda p: jax.vmap(lambda a: jnp.linalg.norm(p - a))(anchors))(points)


def shears(points):
    def of_two(one, two):
        return jnp.linalg.norm(one[:1] - two[1:] - 1.5)

    return jax.vmap(lambda one: jax.vmap(lambda two: of_two(one, two))(points))(points)


def spread(points):
    apart = jnp.expand_dims(points, axis=1) - points[None, :, :]
    return jnp.linalg.norm(apart)


def call(name):
    return getattr(sys.modules[__name__], name)


points = jnp.arange(8.0).reshape(4, 2)
pull = jax.grad(lambda x: call("accelerations")(x, jnp.ones(4)).sum())(points)
assert jnp.isfinite(pull).all()
assert jnp.isfinite(jax.grad(lambda x: call("cross")(x, points + 0.5).sum())(points)).all()
for name in ("gram", "shears", "spread"):
    assert jnp.isfinite(jax.grad(lambda x, name=name: call(name)(x).sum())(points)).all()
