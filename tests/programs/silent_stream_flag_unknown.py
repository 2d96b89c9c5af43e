# category: silent/key-reuse
"""A flag whose value is not known says nothing: the masks of one key may be the same."""

import sys

import flax.linen as nn
import jax
import jax.numpy as jnp


class Encoder(nn.Module):
    rate: float = 0.5

    @nn.compact
    def __call__(self, x, train: bool = True):
        return nn.Dropout(self.rate, deterministic=not train)(nn.Dense(8)(x))


train = len(sys.argv) < 100
model = Encoder()
x = jnp.ones((2, 8))
init_key, mask_key = jax.random.split(jax.random.key(0))
variables = model.init({"params": init_key, "dropout": init_key}, x)
one = model.apply(variables, x, train, rngs={"dropout": mask_key})
two = model.apply(variables, x, train, rngs={"dropout": mask_key})  #! OAK401
three = model.apply(variables, x, False, rngs={"dropout": mask_key})
assert jnp.allclose(one, two) and not jnp.allclose(one, three)
