# category: clean/leak-attribute
from __future__ import annotations

import dataclasses

import jax
import jax.numpy as jnp


@jax.tree_util.register_pytree_node_class
@dataclasses.dataclass
class Adam:
    mean: jax.Array
    count: int = 0

    def tree_flatten(self):
        return (self.mean, self.count), None

    @classmethod
    def tree_unflatten(cls, _, children):
        return cls(*children)

    def update(self, g) -> Adam:
        new = dataclasses.replace(self, count=self.count + 1)
        new.mean = 0.9 * self.mean + 0.1 * g
        return new


@jax.jit
def step(state, w):
    state = state.update(jax.grad(lambda u: jnp.sum(u**2))(w))
    return state, w - state.mean / state.count


print(step(Adam(jnp.zeros(2)), jnp.ones(2)))
