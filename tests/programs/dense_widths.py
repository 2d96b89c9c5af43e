# category: shape-mismatch
"""The size of the last axis that a dense layer makes is known, whatever its batch is."""

import flax.linen as nn
import jax
import jax.numpy as jnp


class Residual(nn.Module):
    hidden: int = 16

    @nn.compact
    def __call__(self, x):
        wide = nn.Dense(32)(x)
        narrow = nn.Dense(features=32)(nn.relu(wide))
        own = nn.Dense(self.hidden)(narrow)
        return wide + narrow, own


class Head(nn.Module):
    @nn.compact
    def __call__(self, x, wide=False):
        layer = nn.Dense(8) if wide else nn.Dense(6)
        return nn.Dense(4)(layer(x)) + jnp.arange(5.0)  #! OAK501 #~ ValueError


batch = jnp.ones((2, 3))
key = jax.random.key(0)
print(jax.tree.map(jnp.shape, Residual().init_with_output(key, batch)[0]))
Head().init(key, batch)
