# category: clean/dtype-mismatch
"""A mask of 4 bits is counted in a dtype of its own."""

import jax
import jax.numpy as jnp


@jax.jit
def mean_loss(losses, mask):
    count = mask.sum(dtype=jnp.float32)
    return (losses * mask.astype(losses.dtype)).sum() / count


print(mean_loss(jnp.ones(4), jnp.array([1, 0, 1, 1], jnp.int4)))
