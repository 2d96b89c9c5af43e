# category: clean/numpy-index-by-tracer
import jax
import jax.numpy as jnp
import numpy as np

COSTS = np.array([[1.0, 2.0], [0.5, 0.1]])


class Lookup:
    def __init__(self, table):
        self.host = table
        self.device = jnp.asarray(table)

    def __getitem__(self, index):
        return self.device[index]


table = Lookup(COSTS)


@jax.jit
def cost(state, action):
    best = COSTS[0, 1] + COSTS.max(axis=1)[state.ndim]
    return table[state, action] + best


print(cost(1, 0))
