# category: clean/python-branch-on-tracer
import jax
import jax.numpy as jnp


def clip_leaf(leaf, limit):
    if isinstance(leaf, int):
        return leaf
    if jnp.issubdtype(leaf.dtype, jnp.integer):
        return leaf
    return jnp.clip(leaf, -limit, limit)


@jax.jit
def clip(tree, limit):
    leaves, structure = jax.tree_util.tree_flatten(tree)
    if not leaves:
        return tree
    return structure.unflatten([clip_leaf(leaf, limit) for leaf in leaves])


print(clip({"w": jnp.ones(3) * 9, "n": jnp.arange(2), "empty": None}, 2.0))
