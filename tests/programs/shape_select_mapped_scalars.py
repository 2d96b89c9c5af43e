# category: clean/shape-of-selected
"""Steps of agents on a line: `vmap` spreads numbers over the condition that chooses them."""

import jax
import jax.numpy as jnp
from jax import lax


@jax.vmap
def moved(position, action):
    axis = lax.select(action <= 2, 0, 1)
    length = lax.select(jnp.mod(action, 2) == 0, 1.0, -1.0) * (action != 0)
    return position.at[axis].add(length)


@jax.jit
def rewarded(actions):
    scores = jax.vmap(lambda action: lax.select_n(action > 1, 0.5, 2.0))(actions)
    return scores[:, 0] @ jnp.arange(4.0)


actions = jnp.array([[0], [1], [2], [3]])
print(moved(jnp.zeros((4, 2)), actions), rewarded(actions))
