# category: silent/nan-where-grad
"""A quotient behind `where`, by a part of parameters that are read from a file."""

import json

import jax
import jax.numpy as jnp


def loss(params, rows):
    width = params["width"]
    scaled = jnp.where(width != 0, rows / width, 0.0)  #! OAK602
    return jnp.sum(scaled) + params["scale"]


def roots(params, rows):
    return jnp.sum(rows * jnp.where(params["width"] > 0, jnp.sqrt(params["width"]), 0.0))  #! OAK602


params = jax.tree.map(jnp.asarray, json.loads('{"width": 0.0, "scale": 2.0}'))
slopes = jax.grad(loss)(params, jnp.ones(3))
assert jnp.isnan(slopes["width"])
assert jnp.isnan(jax.grad(roots)(params, jnp.ones(3))["width"])
