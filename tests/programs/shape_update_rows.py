# category: shape-mismatch
"""Rows of a table are written at positions that are more than the rows."""

import jax
import jax.numpy as jnp
import numpy as np


def load(count):
    rng = np.random.default_rng(0)
    return rng.normal(size=(count, 3)).astype(np.float32)


def place(table, rows):
    positions = jnp.arange(0, table.shape[0], 2)
    return table.at[positions].set(rows)  #! OAK501 #~ ValueError


def refresh(table, rows):
    return jnp.sum(place(table, rows) ** 2)


jax.grad(refresh)(jnp.zeros((10, 3)), jnp.asarray(load(4)))
