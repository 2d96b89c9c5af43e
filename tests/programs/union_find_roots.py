# category: python-loop-on-tracer
import jax
import jax.numpy as jnp


def find(parent, node):
    while parent[node] != node:  #! OAK202  #~ TracerBoolConversionError
        node = parent[node]
    return node


@jax.jit
def merge(parent, edges):
    def join(parent, edge):
        a, b = find(parent, edge[0]), find(parent, edge[1])
        return parent.at[a].set(b), a

    return jax.lax.scan(join, parent, edges)[0]


print(merge(jnp.arange(5), jnp.array([[0, 1], [3, 4], [1, 3]])))
