# category: clean/containers
"""Each group has arrays of one shape: which key an array has is not known."""

from collections import defaultdict

import jax
import jax.numpy as jnp

arrays = [jnp.ones(2), jnp.ones(3), jnp.ones(2)]


def key_of(x):
    leaves, treedef = jax.tree_util.tree_flatten(x)
    return (treedef, tuple(jnp.shape(leaf) for leaf in leaves))


groups = defaultdict(list)
for x in arrays:
    groups[key_of(x)].append(x)
for group in groups.values():
    print(jnp.stack(group).shape)
