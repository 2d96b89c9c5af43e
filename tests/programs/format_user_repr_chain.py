# category: format-of-tracer
from dataclasses import dataclass

import jax
import jax.numpy as jnp


@dataclass
class Distribution:
    loc: jax.Array
    scale: jax.Array

    def __str__(self):
        return f"Normal({self.loc:.2f}, {self.scale:.2f})"  #! OAK217 #~ TypeError

    def log_prob(self, x):
        return -0.5 * ((x - self.loc) / self.scale) ** 2 - jnp.log(self.scale)


class ScoredModel:
    def __init__(self, dist_fn):
        self.dist_fn = dist_fn
        self.name = None

    def score(self, theta, x):
        dist = self.dist_fn(theta)
        self.name = str(dist)
        return dist.log_prob(x)


model = ScoredModel(lambda t: Distribution(t, 1.0))
print(model.score(0.5, 1.0), model.name)
print(jax.jit(model.score)(0.5, 1.0))
