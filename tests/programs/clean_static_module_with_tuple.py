# category: clean/unhashable-static-argument
import functools
from collections.abc import Sequence

import flax.linen as nn
import jax
import jax.numpy as jnp


class Tower(nn.Module):
    widths: Sequence[int]

    @nn.compact
    def __call__(self, features):
        for width in self.widths:
            features = nn.relu(nn.Dense(width)(features))
        return features.sum()


@functools.partial(jax.jit, static_argnums=0)
def score(tower, variables, features):
    return tower.apply(variables, features)


tower = Tower((4, 2))
features = jnp.ones((3, 5))
variables = tower.init(jax.random.key(0), features)
print(score(tower, variables, features))
