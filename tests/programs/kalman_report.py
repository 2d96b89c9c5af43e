# category: scalar-cast-of-tracer
from typing import NamedTuple

import jax
import jax.numpy as jnp


class Belief(NamedTuple):
    mean: jax.Array
    variance: jax.Array


def update(prior, observation):
    gain = prior.variance / (prior.variance + 0.5)
    innovation = observation - prior.mean
    posterior = Belief(prior.mean + gain * innovation, (1 - gain) * prior.variance)
    return posterior, {"gain": gain.item(), "innovation": innovation}  #! OAK204  #~ ConcretizationTypeError


def smooth(observations):
    return jax.lax.scan(update, Belief(jnp.zeros(()), jnp.ones(())), observations)


print(smooth(jnp.array([0.1, 0.3, -0.2])))
