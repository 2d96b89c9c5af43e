# category: bool-op-on-tracer
from dataclasses import dataclass

import jax
import jax.numpy as jnp


@dataclass
class Pose:
    x: float
    y: float

    def moved(self, dx, dy):
        return Pose(self.x + dx, self.y + dy)


def reached(pose, goals):
    return goals.index(pose.x)  #! OAK203 #~ TracerBoolConversionError


@jax.jit
def navigate(x, y, dx):
    pose = Pose(x, y)
    if pose is not None:
        pose = pose.moved(dx, 0.0)
    return reached(pose, [0.0, 1.0, 2.0])


print(reached(Pose(1.0, 2.0), [0.0, 1.0]))
print(navigate(0.0, 1.0, 1.0))
