# category: traced-static-argument
"""A generator of NumPy is made of the step that jit traces."""

import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def largest_eigenvalue(matrix, step):
    start = np.random.RandomState(step).uniform(-1.0, 1.0, 3)  #! OAK208 #~ TracerArrayConversionError
    for _ in range(4):
        start = matrix @ start
    return jnp.linalg.norm(start)


print(largest_eigenvalue(jnp.eye(3), 4))
