# category: clean/inplace-mutation
import jax
import jax.numpy as jnp
import numpy as np


def blocks(x, size):
    cells = np.empty((size, size), dtype=object)
    for i in range(size):
        for j in range(size):
            cells[i, j] = x if i == j else jnp.zeros_like(x)
    return jnp.block([list(row) for row in cells])


print(jax.jit(blocks, static_argnums=1)(jnp.ones((2, 2)), 3).shape)
