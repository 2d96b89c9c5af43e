# category: clean/dynamic-shape-op
import jax
import jax.numpy as jnp


@jax.jit
def frontier(adjacency, visited):
    reachable = (adjacency[visited.astype(int)] > 0).any(axis=0)
    (nodes,) = jnp.nonzero(reachable, size=3, fill_value=-1)
    values, counts = jnp.unique(nodes, return_counts=True, size=3, fill_value=-1)
    return nodes, values, counts


print(frontier(jnp.eye(3), jnp.array([True, False, True])))
