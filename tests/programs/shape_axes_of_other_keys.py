# category: shape-mismatch
"""Axes of a dict need all its keys; those that are not mapped have None."""

import jax
import jax.numpy as jnp


def dense(params):
    return params["w"] @ params["x"] + params["b"]


def run(params, axes=None):
    mapped = {"w": None, "x": 0, "b": None}
    return jax.vmap(dense, in_axes=(mapped,))(params)


def forgetful(params):
    return jax.vmap(dense, in_axes=({"x": 0},))(params)  #! OAK501 #~ ValueError


params = {"w": jnp.ones((2, 3)), "x": jnp.ones((4, 3)), "b": jnp.zeros(2)}
print(run(params))
print(forgetful(params))
