# category: clean/invalid-number
"""Biases of attention that select infinity, or multiply a mask by a large number."""

import jax
import jax.numpy as jnp


class Attention:
    def __init__(self, heads):
        self.heads = heads

    def bias(self, length):
        forward = jnp.tile(jnp.tril(jnp.ones((length, length)))[None], (self.heads, 1, 1))
        return jnp.where(forward == 0, -jnp.inf, 0.0) - (1 - forward) * 1e9

    def __call__(self, scores, values):
        weights = jax.nn.softmax(scores + self.bias(scores.shape[-1]), axis=-1)
        return weights @ values


def bounds(size, scale):
    lower, upper = -jnp.inf * jnp.ones(size), jnp.full(size, jnp.inf)
    return lower, upper * scale


@jax.jit
def padded(scores, lengths):
    beyond = jnp.arange(scores.shape[-1])[None, :] >= lengths[:, None]
    return scores + beyond * -jnp.inf


def nearest(distances):
    return jnp.min(distances + jnp.diag(jnp.full(len(distances), jnp.inf)), axis=-1)


assert jnp.isfinite(Attention(2)(jnp.zeros((2, 3, 3)), jnp.ones((2, 3, 4)))).all()
padded(jnp.zeros((2, 3)), jnp.array([1, 3]))
bounds(3, 2.0)
nearest(jnp.ones((3, 3)))
