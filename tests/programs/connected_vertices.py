# category: dynamic-shape-op
import jax
import jax.numpy as jnp


def neighbours(adjacency, vertex):
    return jnp.flatnonzero(adjacency[vertex])  #! OAK210  #~ ConcretizationTypeError


def reach(adjacency, start):
    seen = jnp.zeros(adjacency.shape[0], bool).at[start].set(True)
    for _ in range(2):
        frontier = neighbours(adjacency, start)
        seen = seen.at[frontier].set(True)
    return seen


print(jax.jit(reach)(jnp.eye(3, k=1), 0))
