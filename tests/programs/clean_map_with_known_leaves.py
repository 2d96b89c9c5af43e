# category: clean/sequence-instead-of-array
# The leaves that `is_leaf` tells are parts of a tree that is not seen: the lists beside it are gone
# through with it.
import json

import jax
import jax.numpy as jnp


def branch(component, spread, key):
    return jax.random.normal(key, (2,)) + component["mean"], jnp.tile(spread, (2, 1))


def branches(components, spreads, key):
    keys = list(jax.random.split(key, len(spreads)))
    return jax.tree.map(
        branch, components, spreads, keys, is_leaf=lambda each: isinstance(each, dict)
    )


components = json.loads('[{"mean": 1.0}, {"mean": 2.0}]')
spreads = list(jnp.ones((2, 2)))
print(len(branches(components, spreads, jax.random.key(0))))
print(len(jax.jit(branches)(components, spreads, jax.random.key(0))))
