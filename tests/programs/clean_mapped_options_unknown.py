# category: clean/python-branch-on-tracer
"""Which arguments are mapped is read from texts: none can be said to be traced."""

import ast

import jax
import jax.numpy as jnp


def clip(row, limit):
    """{"in_axes": (0, None)}"""
    if limit > 0:
        return jnp.clip(row, -limit, limit)
    return row


def shift(offset, row):
    """{"in_axes": (None, 0)}"""
    return row + offset if offset else row


def blend(rows, weight):
    return rows * weight if weight < 1 else rows


def batched(function):
    return jax.vmap(function, **ast.literal_eval(function.__doc__))


def on_devices(function, static):
    return jax.pmap(function, static_broadcasted_argnums=[int(each) for each in static.split()])


rows = jnp.ones((2, 3))
print(batched(clip)(rows, 0.5), batched(shift)(1.0, rows))
print(on_devices(blend, "1")(rows[:1], 0.5))
