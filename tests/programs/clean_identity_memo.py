# category: clean/hash-of-tracer
import jax
import jax.numpy as jnp


@jax.jit
def shared_cost(tree):
    seen, cost = {}, 0.0
    for leaf in jax.tree_util.tree_leaves(tree):
        if id(leaf) in seen:
            continue
        seen[id(leaf)] = leaf.shape
        cost = cost + jnp.sum(leaf)
    return cost, len(set(seen.values()))


print(shared_cost((jnp.ones(2), [jnp.ones((2, 2))])))
