# category: dynamic-shape-op
import jax
import jax.numpy as jnp
from jax.ops import segment_sum


class Graph:
    def __init__(self, senders, receivers):
        self.senders = senders
        self.receivers = receivers

    def aggregate(self, messages, num_nodes):
        return segment_sum(messages, self.receivers, num_segments=num_nodes)


jax.tree_util.register_pytree_node(
    Graph, lambda g: ((g.senders, g.receivers), None), lambda _, c: Graph(*c)
)


def pool(graph, x):
    messages = x[graph.senders]
    out = graph.aggregate(messages, x.shape[0])
    used = jnp.unique(graph.receivers)  #! OAK210 12 #~ ConcretizationTypeError
    return out[used].mean()


graph = Graph(jnp.array([0, 1, 2]), jnp.array([1, 2, 0]))
print(pool(graph, jnp.ones((3, 2))))
print(jax.jit(pool)(graph, jnp.ones((3, 2))))
