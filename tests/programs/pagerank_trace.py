# category: scalar-cast-of-tracer
import jax
import jax.numpy as jnp


def normalize(adjacency):
    degree = adjacency.sum(axis=0)
    return adjacency / jnp.where(degree == 0, 1, degree)


def pagerank(adjacency, damping=0.85, rounds=3):
    n = adjacency.shape[0]
    transition = normalize(adjacency)
    rank = jnp.full(n, 1 / n)
    trace = []
    for _ in range(rounds):
        new = damping * transition @ rank + (1 - damping) / n
        trace.append(complex(jnp.abs(new - rank).sum()))  #! OAK204  #~ ConcretizationTypeError
        rank = new
    return rank, jnp.array([abs(t) for t in trace])


rank = jax.jit(pagerank, static_argnames=["rounds"])
print(rank(jnp.array([[0.0, 1.0], [1.0, 0.0]])))
