# category: clean/numpy-call
"""Code for NumPy and JAX alike chooses the module by the arrays that it gets; a fixed one fails."""

import jax
import jax.numpy as jnp
import numpy as np


def module_of(arrays):
    leaves = jax.tree.leaves(arrays)
    if any(type(x).__module__ == "numpy" for x in leaves):
        return np
    return jnp


def join_chunks(chunks, backend=None):
    xp = module_of(chunks) if backend is None else backend
    return xp.concatenate([xp.zeros(2) if x is None else x for x in chunks])


@jax.jit
def traced(x, y):
    return join_chunks([x, None, y]) * 2


print(traced(jnp.ones(2), jnp.ones(3)), join_chunks([np.ones(2), np.ones(1)]))
