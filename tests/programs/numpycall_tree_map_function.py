# category: numpy-call-on-tracer
import jax
import jax.numpy as jnp
import numpy as np


def tree_norm(tree, leaf_norm):
    squares = jax.tree.map(leaf_norm, tree)
    return jnp.sqrt(sum(jax.tree.leaves(squares)))


def squared(leaf):
    flat = np.ravel(leaf)  #! OAK208 12 #~ TracerArrayConversionError
    return flat @ flat


@jax.jit
def normalized(tree):
    norm = tree_norm(tree, squared)
    return jax.tree.map(lambda v: v / norm, tree)


tree = {"a": np.ones((2, 2)), "b": [np.zeros(3)]}
print(tree_norm(tree, squared))
print(jax.tree.map(jnp.shape, normalized(tree)))
