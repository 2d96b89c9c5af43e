# category: silent/key-reuse
"""Two layers, and the steps of a loop, that draw the same mask."""

import equinox as eqx
import jax
import jax.numpy as jnp


class Encoder(eqx.Module):
    first: eqx.nn.Dropout
    second: eqx.nn.Dropout
    weights: jax.Array

    def __init__(self, key):
        self.first = eqx.nn.Dropout(0.5)
        self.second = eqx.nn.Dropout(0.5)
        self.weights = jax.random.normal(key, (8, 8))

    def __call__(self, x, *, key):
        x = self.first(x @ self.weights, key=key)
        return self.second(jax.nn.relu(x), key=key)  #! OAK401


key, subkey = jax.random.split(jax.random.key(0))
encoder = Encoder(key)
print(encoder(jnp.ones(8), key=subkey))
drop = eqx.nn.Dropout(0.5)
mask_key = jax.random.key(1)
masks = []
for _ in range(3):
    masks.append(drop(jnp.ones(8), key=mask_key))  #! OAK401
assert (masks[0] == masks[2]).all()
