# category: traced-static-argument
"""A jitted class method has a number of steps, which all calls here leave at its default."""

import sys
from functools import partial

import jax
import jax.numpy as jnp


class Trajectory:
    def __init__(self, points):
        self.points = points

    @classmethod
    @partial(jax.jit, static_argnums=0)
    def points_from(cls, start, rate=0.5, steps: int = 6):
        def advance(point, _):
            return point + rate * (1.0 - point), point

        points = jax.lax.scan(advance, start, None, steps)[1]  #! OAK212 #~ ConcretizationTypeError
        return points


def main(option):
    print(Trajectory(Trajectory.points_from(jnp.zeros(2))).points.shape)
    library = sys.modules[__name__]
    print(library.Trajectory.points_from(jnp.zeros(2), **{option: 3}).shape)


main("".join(["st", "eps"]))
