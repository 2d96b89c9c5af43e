# category: unhashable-static
"""Settings are traced by the outer function, and static for the one that it calls."""

from functools import partial

import jax
import jax.numpy as jnp
from flax import struct


@struct.dataclass
class Physics:
    gravity: float = -9.8
    substeps: int = 2


@partial(jax.jit, static_argnames="physics")
def integrate(velocity, physics):
    for _ in range(physics.substeps):
        velocity = velocity + 0.01 * physics.gravity
    return velocity


@jax.jit
def fall(velocity, physics):
    return integrate(velocity, physics=physics)  #! OAK304 #~ ValueError


print(fall(jnp.zeros(3), Physics()))
