# category: clean/shape-mismatch
"""Functions are not called for a part of a tree that is `None`."""

import jax
import jax.numpy as jnp


@jax.jit
def weigh(features):
    kept = []
    jax.tree.map(lambda leaf: kept.append(leaf.ndim), {"bias": None, "features": features})
    present = jax.tree.leaves((None, features))
    return features * jnp.ones(len(kept) + 1) * jnp.ones(len(present) + 1)


print(weigh(jnp.ones(2)))
