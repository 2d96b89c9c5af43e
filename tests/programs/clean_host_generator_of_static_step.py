# category: clean/traced-static-argument
"""A generator of NumPy is made of a static step, and two keys of one function of two seeds."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np


@partial(jax.jit, static_argnames="step")
def largest_eigenvalue(matrix, step):
    start = np.random.RandomState(step).uniform(-1.0, 1.0, 3)
    for _ in range(4):
        start = matrix @ start
    return jnp.linalg.norm(start)


def perturbed(field, seed):
    shift = jax.random.normal(jax.random.key(seed), field.shape)
    seed = seed + 1
    scale = jax.random.normal(jax.random.key(seed), field.shape)
    return field * scale + shift + jax.random.uniform(jax.random.key(seed + 1), field.shape)


print(largest_eigenvalue(jnp.eye(3), 4), perturbed(jnp.ones(2), 7))
