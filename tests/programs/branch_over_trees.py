# category: python-branch-on-tracer
import jax
import jax.numpy as jnp
from jax.flatten_util import ravel_pytree

tree = {"w": jnp.ones((2, 3)), "b": (jnp.ones(3), jnp.ones(()))}


def grown(tree):
    total = jax.tree.reduce(lambda s, leaf: s + leaf.sum(), tree, 0.0)
    if total > 10:  #! OAK201 #~ TracerBoolConversionError
        return total
    return -total


def flattened(tree):
    flat, restore = ravel_pytree(tree)
    if flat.max() > 1:  #! OAK201
        return restore(flat / flat.max())
    return tree


def with_paths(tree):
    for path, leaf in jax.tree_util.tree_flatten_with_path(tree)[0]:
        if len(path) > 1 and leaf.ndim:
            return bool(leaf.all())  #! OAK204
    scaled = jax.tree_util.tree_map_with_path(lambda path, leaf: leaf * len(path), tree)
    while scaled["b"][0].sum() < 1:  #! OAK202
        scaled = jax.tree.map(jnp.add, scaled, scaled)
    return scaled


def paired(tree):
    halves = jax.tree.map(lambda leaf: (leaf, leaf / 2), tree)
    for whole, half in jax.tree.leaves(halves, is_leaf=lambda n: isinstance(n, tuple) and not isinstance(n[0], tuple)):
        if half.sum() > 0:  #! OAK201
            return whole
    leaves, structure = jax.tree.flatten(tree)
    doubled = jax.tree.unflatten(structure, [leaf * 2 for leaf in leaves])
    return float(doubled["b"][1])  #! OAK204


for function in (grown, flattened, with_paths, paired):
    print(jax.jit(function)(tree))
