# category: hash-of-tracer
from dataclasses import dataclass

import jax
import jax.numpy as jnp


@dataclass(frozen=True)
class Edge:
    source: int
    weight: float


def unique_edges(edges):
    return set(edges)  #! OAK216  #~ TypeError


@jax.jit
def total_weight(weights):
    edges = [Edge(i, w) for i, w in enumerate(weights)]
    return sum(edge.weight for edge in unique_edges(edges))


print(total_weight(jnp.ones(3)))
