# category: boolean-mask-index
from typing import NamedTuple

import jax
import jax.numpy as jnp


class Colony(NamedTuple):
    energy: jax.Array
    alive: jax.Array


def feed(colony, amount):
    energy = colony.energy.at[colony.alive].multiply(1.0)
    return colony._replace(energy=energy + amount)


def survivors(colony):
    return jnp.sort(colony.energy[~colony.alive])  #! OAK213  #~ NonConcreteBooleanIndexError


@jax.jit
def season(colony, amount):
    colony = colony._replace(alive=colony.energy > 0.5)
    dead = survivors(colony)
    return dead + amount


print(season(Colony(jnp.array([0.2, 0.9]), jnp.array([True, True])), 0.1))
