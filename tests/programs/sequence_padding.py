# category: traced-shape
import jax
import jax.numpy as jnp


def pad_to(x, length):
    missing = length - x.shape[0]
    return jnp.concatenate([x, jnp.zeros((missing,) + x.shape[1:])])  #! OAK211  #~ TypeError


def pad_tree(tree, length):
    return jax.tree_util.tree_map(lambda leaf: pad_to(leaf, length), tree)


collate = jax.jit(pad_tree)
print(collate({"a": jnp.ones(3), "b": jnp.ones((2, 2))}, 5))
