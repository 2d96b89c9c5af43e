# category: clean/shape-mismatch
import jax
import jax.numpy as jnp

def is_pair(node):
    return isinstance(node, tuple)


@jax.jit
def affine(layers):
    """Each pair is one leaf: its parts are not asked for theirs."""
    outputs = jax.tree.map(lambda pair: pair[0] @ pair[1], layers, is_leaf=is_pair)
    flat = jax.tree.leaves(layers, is_leaf=is_pair)
    return outputs, flat[0][0].sum() + flat[-1][1][0]


@jax.jit
def filled(grads, params):
    """A missing gradient is a leaf, too."""
    return jax.tree.map(
        lambda g, p: jnp.zeros_like(p) if g is None else g,
        grads,
        params,
        is_leaf=lambda node: node is None,
    )


@jax.jit
def energy(layers):
    parts, structure = jax.tree.flatten(layers, is_leaf=is_pair)
    total = jax.tree.reduce(lambda s, pair: s + pair[1][0], layers, 0.0, is_leaf=is_pair)
    named = jax.tree_util.tree_leaves_with_path(layers, is_leaf=is_pair)
    return total + sum(pair[1].sum() for _, pair in named) + len(parts) * structure.num_leaves


layers = {"in": (jnp.ones((2, 3)), jnp.ones(3)), "out": (jnp.ones((4, 2)), jnp.ones(2))}
print(affine(layers))
print(filled({"w": None, "b": jnp.ones(2)}, {"w": jnp.ones(3), "b": jnp.ones(2)}))
print(energy(layers))
