# category: lost-update
"""A module counts its calls in a helper that a jitted evaluation calls: the copy counts."""

import jax
import jax.numpy as jnp
from flax import nnx


class Scaled(nnx.Module):
    def __init__(self, rngs):
        self.linear = nnx.Linear(2, 1, rngs=rngs)
        self.calls = nnx.Variable(jnp.array(0))

    def note(self):
        self.calls[...] = self.calls[...] + 1  #! OAK116

    def __call__(self, x):
        self.note()
        return self.linear(x)


@jax.jit
def evaluate(model, x, y):
    return jnp.mean((model(x) - y) ** 2)


model = Scaled(nnx.Rngs(0))
for _ in range(3):
    evaluate(model, jnp.ones((4, 2)), jnp.zeros((4, 1)))
assert model.calls[...] == 0
