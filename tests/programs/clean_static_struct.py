# category: clean/unhashable-static
"""Settings that are static for both functions, and a part of them that is static within a trace."""

from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
from flax import struct


@struct.dataclass
class Physics:
    gravity: float = -9.8
    substeps: int = struct.field(pytree_node=False, default=2)


class Grid(NamedTuple):
    rows: int
    columns: int


@partial(jax.jit, static_argnames=("physics", "grid"))
def integrate(velocity, physics, grid):
    for _ in range(physics.substeps):
        velocity = velocity + 0.01 * physics.gravity
    return jnp.broadcast_to(velocity, grid)


@partial(jax.jit, static_argnames="physics")
def fall(velocity, physics):
    return integrate(velocity, physics, Grid(2, 3))


@jax.jit
def drop(velocity, physics):
    return (
        integrate(velocity, Physics(substeps=physics.substeps), grid=Grid(1, 3)) * physics.gravity
    )


print(fall(jnp.zeros(3), Physics()), drop(jnp.zeros(3), Physics()))
