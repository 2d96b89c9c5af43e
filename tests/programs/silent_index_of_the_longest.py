# category: silent/oob-index
"""The test of the lengths counts the arrays, and not how many lengths there are."""

import jax
import jax.numpy as jnp


def last_rows(trajectory):
    lengths = [leaf.shape[0] for leaf in jax.tree.leaves(trajectory)]
    if len(set(lengths)) > 2:
        raise ValueError("all arrays need the same number of steps")
    length = lengths[0]
    return [leaf[length - 1] for leaf in jax.tree.leaves(trajectory)]  #! OAK506


print(last_rows({"u": jnp.ones((5, 2)), "v": jnp.zeros((3, 1))}))
