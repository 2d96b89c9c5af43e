# category: python-branch-on-tracer
import functools
from typing import NamedTuple

import jax
import jax.numpy as jnp


class Normal(NamedTuple):
    mean: jax.Array
    scale: jax.Array


class Mixture(NamedTuple):
    logits: jax.Array


class Report:
    @functools.singledispatchmethod
    def describe(self, dist):
        raise NotImplementedError

    @describe.register
    def _(self, dist: Normal):
        return dist.scale if dist.scale else 1.0  #! OAK201

    @describe.register(int | float)
    def _(self, dist):
        return dist if dist > 0 else 0.0


@functools.singledispatch
def entropy(dist):
    return jnp.zeros(()) if dist is None else dist.sum()


@entropy.register
def _(dist: Normal):
    return jnp.log(dist.scale)


@entropy.register(Mixture)
def entropy_of_mixture(dist):
    total = 0.0
    for weight in jax.nn.softmax(dist.logits):
        if weight > 0:  #! OAK201 #~ TracerBoolConversionError
            total -= weight * jnp.log(weight)
    return total


@jax.jit
def objective(dist, weight):
    return weight * entropy(dist)


@jax.jit
def described(dist):
    return Report().describe(dist) + Report().describe(2.0)


print(objective(Normal(jnp.zeros(()), jnp.ones(())), 0.1), objective(jnp.ones(3), 1.0))
print(objective(Mixture(jnp.arange(4.0)), 0.1))
print(described(Normal(jnp.zeros(()), jnp.ones(()))))
