# category: leak-attribute
from dataclasses import dataclass, field

import jax
import jax.numpy as jnp


@dataclass
class Averages:
    decay: float = 0.9
    held: dict = field(default_factory=dict)

    def mix(self, name, value):
        mixed = self.decay * self.held.get(name, 0.0) + value  #~ UnexpectedTracerError
        self.held[name] = mixed  #! OAK101
        return mixed


averages = Averages()


def smooth(tree):
    own = Averages(0.5)
    return {name: averages.mix(name, own.mix(name, leaf)) for name, leaf in tree.items()}


tree = {"w": jnp.ones(2), "b": jnp.zeros(2)}
tree = jax.jit(smooth)(tree)
print(smooth(tree))
