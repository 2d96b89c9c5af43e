# category: clean/inplace-mutation
import jax
import jax.numpy as jnp
import numpy as np


def jacobian_rows(x):
    cells = [jnp.cos(x), jnp.sin(x)]
    cells[1:] = [1.0, x.ndim]
    sizes = np.zeros(2)
    sizes[:] = [x.size, len(cells)]
    return cells[0] * sizes[1] + cells[2]


print(jax.jit(jacobian_rows)(0.5))
