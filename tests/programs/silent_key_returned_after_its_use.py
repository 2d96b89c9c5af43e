# category: silent/key-reuse
"""Functions of a library that hand the key back by which they have drawn, not the part of it that
nobody has used.
"""

import jax
import jax.numpy as jnp


def noisy(x, rng):
    rng, sub = jax.random.split(rng)
    return x + jax.random.normal(rng, x.shape), rng  #! OAK401


class Proposal:
    def __init__(self, width):
        self.width = width

    def propose(self, state, key):
        moved, accept = jax.random.split(key)  #! OAK401
        step = self.width * jax.random.normal(moved, state.shape)
        accepted = jax.random.uniform(accept) < 0.5
        return jnp.where(accepted, state + step, state), key
