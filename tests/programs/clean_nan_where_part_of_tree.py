# category: clean/nan-where-grad
"""A quotient by a part of parameters that are read from a file, whose divisor is replaced before;
and one by a part by which no derivative is taken.
"""

import json

import jax
import jax.numpy as jnp


def loss(params, rows):
    width = params["width"]
    divisor = jnp.where(width != 0, width, 1.0)
    scaled = jnp.where(width != 0, rows / divisor, 0.0)
    return jnp.sum(scaled) + params["scale"]


def mean(params, settings, rows):
    count = settings["count"]
    return params["scale"] * jnp.sum(jnp.where(count != 0, rows / count, 0.0))


params = jax.tree.map(jnp.asarray, json.loads('{"width": 0.0, "scale": 2.0}'))
settings = jax.tree.map(jnp.asarray, json.loads('{"count": 0.0}'))
print(jax.grad(loss)(params, jnp.ones(3)))
print(jax.grad(mean)(params, settings, jnp.ones(3)))
