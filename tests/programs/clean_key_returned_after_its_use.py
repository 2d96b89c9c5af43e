# category: clean/key-reuse
"""Functions of a library that hand a key back which nobody has used."""

import jax
import jax.numpy as jnp


def noisy(x, rng):
    rng, sub = jax.random.split(rng)
    return x + jax.random.normal(sub, x.shape), rng


def maybe_noisy(x, rng, scale):
    if scale:
        x = x + scale * jax.random.normal(jax.random.fold_in(rng, 1), x.shape)
    return x, rng


class Proposal:
    def __init__(self, width):
        self.width = width

    def propose(self, state, key):
        key, moved, accept = jax.random.split(key, 3)
        step = self.width * jax.random.normal(moved, state.shape)
        accepted = jax.random.uniform(accept) < 0.5
        return jnp.where(accepted, state + step, state), key

    def shuffled(self, states, costs, key):
        order = jax.random.permutation(key, len(states))
        return states[order], costs[order], {"by": key}
