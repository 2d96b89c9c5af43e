# category: nan-gradient
"""Modules are trained, though nobody here is seen to: the mask of the log is behind it."""

import jax
import jax.numpy as jnp
from flax import nnx


class Entropy(nnx.Module):
    def __init__(self, weight):
        self.weight = weight

    def __call__(self, probabilities):
        terms = jnp.where(probabilities > 0, probabilities * jnp.log(probabilities), 0.0)  #! OAK602
        return -self.weight * terms.sum(axis=-1)


class SafeEntropy(nnx.Module):
    def __init__(self, weight):
        self.weight = weight

    def __call__(self, probabilities):
        positive = jnp.where(probabilities > 0, probabilities, 1.0)
        return -self.weight * (probabilities * jnp.log(positive)).sum(axis=-1)


print(SafeEntropy(0.1)(jnp.array([0.0, 1.0])))
