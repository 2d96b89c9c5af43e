# category: shape-mismatch
"""`None` is a tree without leaves: one weight for each part that is there, and one more."""

import jax
import jax.numpy as jnp


@jax.jit
def weigh(features, bias):
    present = jax.tree.leaves((features, bias, None))
    return features * jnp.ones(len(present) + 1)  #! OAK501 #~ TypeError


weigh(jnp.ones(4), jnp.ones(()))
