# category: silent/invalid-number
"""Biases of attention that are a mask times infinity."""

import jax
import jax.numpy as jnp
import numpy as np


class Attention:
    def __init__(self, heads):
        self.heads = heads

    def bias(self, length):
        forward = jnp.tile(jnp.tril(jnp.ones((length, length)))[None], (self.heads, 1, 1))
        return -(1 - forward) * jnp.inf  #! OAK605

    def __call__(self, scores, values):
        weights = jax.nn.softmax(scores + self.bias(scores.shape[-1]), axis=-1)
        return weights @ values


def padded(scores, lengths):
    within = jnp.arange(scores.shape[-1])[None, :] < lengths[:, None]
    return scores + (1 - within) * -np.inf  #! OAK605


def blocked(costs, taken):
    free = 1.0 - jax.nn.one_hot(taken, costs.shape[-1])
    return costs + jnp.multiply(free, float("inf"))  #! OAK605


assert jnp.isnan(Attention(2)(jnp.zeros((2, 3, 3)), jnp.ones((2, 3, 4)))).any()
assert jnp.isnan(padded(jnp.zeros((2, 3)), jnp.array([1, 3]))).any()
assert jnp.isnan(blocked(jnp.zeros(3), 1)).any()
