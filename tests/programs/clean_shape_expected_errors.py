# category: clean/shape-mismatch
"""Errors of shapes and dtypes that the program expects, and fixes."""

import contextlib

import jax
import jax.numpy as jnp


def add(a, b):
    try:
        return a + b
    except (TypeError, ValueError):
        return a[:, None] + b[None]


def pick(table, index):
    try:
        return table[index]
    except (IndexError, TypeError):
        return table[jnp.asarray(index, int)]


def fails(function, *arguments):
    try:
        function(*arguments)
    except Exception:
        return True
    return False


add(jnp.ones(3), jnp.ones(4))
pick(jnp.ones((3, 2)), jnp.ones(2))
assert fails(lambda: jnp.ones((2, 3)) @ jnp.ones((2, 3)))
with contextlib.suppress(TypeError, ValueError):
    jnp.concatenate([jnp.ones(3), jnp.ones((3, 3))])
mask = jnp.ones(3, bool)
jax.jit(lambda m, x: jnp.where(~m, x, 1 - m))(mask, jnp.ones(3))
