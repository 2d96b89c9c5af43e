# category: clean/key-reuse
"""A key for each layer, and one where nothing is drawn."""

import equinox as eqx
import jax
import jax.numpy as jnp


class Encoder(eqx.Module):
    drops: list
    weights: jax.Array

    def __init__(self, count, key):
        self.drops = [eqx.nn.Dropout(0.5) for _ in range(count)]
        self.weights = jax.random.normal(key, (8, 8))

    def __call__(self, x, *, key=None, inference=False):
        keys = [None] * len(self.drops) if key is None else jax.random.split(key, len(self.drops))
        for drop, each in zip(self.drops, keys, strict=True):
            x = drop(x @ self.weights, key=each, inference=inference)
        return x


encoder = Encoder(2, jax.random.key(0))
key = jax.random.key(1)
for step in range(2):
    print(encoder(jnp.ones(8), key=jax.random.fold_in(key, step)).shape)
print(encoder(jnp.ones(8), inference=True).shape)
drop = eqx.nn.Dropout(0.5)
mask_key = jax.random.key(2)
print(drop(jnp.ones(8), key=mask_key, inference=True), drop(jnp.ones(8), key=mask_key))
