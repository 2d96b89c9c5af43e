# category: silent/nan-gradient
"""Two maps go over the rows of one array: each row meets itself, too, whose distance from itself has
no derivative. So do arrays that get their new axes in other ways.
"""

import sys
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames=("softening",))
def attraction(body, other, mass, softening):
    away = body[:2] - other[:2]
    distance = jnp.linalg.norm(away)  #! OAK602
    return mass * away / (distance**3 + softening)


@partial(jax.jit, static_argnames=("softening",))
def accelerations(bodies, masses, softening=0.1):
    def of_one(body):
        each = jax.vmap(lambda other, mass: attraction(body, other, mass, softening))
        return each(bodies, masses).sum(axis=0)

    return jax.vmap(of_one)(bodies)


def exponential(one, two):
    return jnp.exp(-jnp.sqrt(jnp.sum((one - two) ** 2)))  #! OAK602


def gram(points):
    rows = jax.vmap(exponential, in_axes=(None, 0))
    return jax.vmap(rows, in_axes=(0, None))(points, points)


def spread(points):
    here = points[:, None, :]
    there = jnp.expand_dims(points, axis=0)
    return jnp.linalg.norm(here - there, axis=-1).mean()  #! OAK602


def nearest(points):
    apart = jax.vmap(lambda point: points - point)(points)
    return jnp.linalg.norm(apart, axis=-1).min()  #! OAK602


def call(name):
    return getattr(sys.modules[__name__], name)


points = jnp.arange(8.0).reshape(4, 2)
pull = jax.grad(lambda x: call("accelerations")(x, jnp.ones(4)).sum())(points)
assert jnp.isnan(pull).any()
assert jnp.isnan(jax.grad(nearest)(points)).all()
for name in ("gram", "spread"):
    assert jnp.isnan(jax.grad(lambda x, name=name: call(name)(x).sum())(points)).any()
