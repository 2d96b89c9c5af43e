# category: clean/leak-attribute
import copy
from types import SimpleNamespace

import jax
import jax.numpy as jnp


class World:
    def __init__(self):
        self.position = jnp.zeros(2)
        self.bodies = ["a", "b"]

    def moved(self, velocity):
        other = copy.copy(self)
        other.position = self.position + velocity
        return other


world = World()


@jax.jit
def reward(velocity):
    scratch = SimpleNamespace(best=None)
    for scale in (0.5, 1.0):
        candidate = world.moved(scale * velocity)
        value = -jnp.sum((candidate.position - 1.0) ** 2)
        scratch.best = value if scratch.best is None else jnp.maximum(scratch.best, value)
    return scratch.best


print(jax.grad(reward)(jnp.ones(2)), world.position + 1)
