# category: sequence-to-jnp-function
from typing import NamedTuple

import jax
import jax.numpy as jnp


class Pose(NamedTuple):
    x: float
    y: float
    heading: float

    def __jax_array__(self):
        return jnp.stack(self)


class Velocity(NamedTuple):
    along: float
    turning: float

    def magnitude(self):
        return jnp.linalg.norm(self)  #! OAK503  #~ TypeError


@jax.jit
def drive(pose, velocity):
    far = jnp.linalg.norm(jnp.stack(pose)) + jnp.sum(pose)
    return far * velocity.magnitude()


print(drive(Pose(1.0, 0.5, 0.0), Velocity(0.2, 0.1)))
