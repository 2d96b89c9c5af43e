# category: clean/numpy-function-on-tracer
"""What a loss gives as its aux is what it was given: the start of the search, a plain number."""

import jax
import jax.numpy as jnp
import numpy as np


def loss(start):
    return start**2, {"start": start}


@jax.jit
def first_step(target):
    slope, seen = jax.grad(loss, has_aux=True)(2.0)
    (_, again), _ = jax.value_and_grad(loss, has_aux=True)(0.5)
    reach = np.sqrt(seen["start"]) + np.log(again["start"])
    return target - slope * reach


print(first_step(jnp.ones(3)))
