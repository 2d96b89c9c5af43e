# category: clean/scalar-cast-of-tracer
"""What only an allocation computes is not reached where the list is passed."""

import pickle

import jax
import jax.numpy as jnp
import numpy as np


def neighbor_list(position, neighbors=None, extra=0):
    occupancy = jnp.sum(position > 0)
    if neighbors is None:
        capacity = int(occupancy) + extra
        return jnp.zeros(capacity)
    return neighbors * occupancy


def allocate(position):
    return neighbor_list(position)


@jax.jit
def update(position, neighbors):
    return neighbor_list(position, neighbors)


kept = pickle.loads(pickle.dumps(np.arange(3.0)))
print(allocate(jnp.ones(3)), update(jnp.ones(3), kept))
