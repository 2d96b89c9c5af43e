# category: shape-mismatch
"""Attention whose heads are split off the wrong axis, three calls below the jitted step."""

import jax
import jax.numpy as jnp

HEADS, WIDTH = 4, 32


def split_heads(x):
    batch, length, width = x.shape
    return x.reshape(batch, length, HEADS, width // HEADS).transpose(0, 2, 1, 3)


def merge_heads(x):
    batch, _, length, _ = x.shape
    return x.transpose(0, 2, 1, 3).reshape(batch, length, WIDTH)


class Attention:
    def __init__(self, key):
        keys = jax.random.split(key, 4)
        self.query, self.key, self.value, self.out = (
            jax.random.normal(each, (WIDTH, WIDTH)) for each in keys
        )

    def __call__(self, x):
        q, k, v = (split_heads(x @ w) for w in (self.query, self.key, self.value))
        weights = jax.nn.softmax(q @ k.swapaxes(-1, -3), axis=-1)  #! OAK501 #~ ValueError
        return merge_heads(weights @ v) @ self.out


def main():
    layer = Attention(jax.random.key(0))
    step = jax.jit(lambda x: jnp.mean(layer(x)))
    step(jnp.ones((2, 6, WIDTH)))


main()
