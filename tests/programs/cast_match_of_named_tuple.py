# category: scalar-cast-of-tracer
"""Class patterns bind the fields of named tuples and dataclasses, some of which are traced."""

from dataclasses import KW_ONLY, dataclass
from typing import NamedTuple

import jax
import jax.numpy as jnp


class Disc(NamedTuple):
    centre: jax.Array
    radius: jax.Array


class Box(NamedTuple):
    low: jax.Array
    high: jax.Array


@dataclass
class Scaled:
    times: int
    _: KW_ONLY
    shape: Disc | Box


def volume(body):
    match body:
        case Box(low, high):
            return jnp.prod(high - low)
        case Disc(_, size):
            return jnp.pi * size**2
        case Scaled(times, shape=Disc(radius=size)):
            return times * float(size)  #! OAK204 #~ ConcretizationTypeError
        case Scaled(shape=inner):
            return volume(inner)


@jax.jit
def total(points, sizes):
    first = volume(Disc(points[0], sizes[0]))
    return first + volume(Scaled(2, shape=Disc(points[1], sizes[1])))


print(total(jnp.zeros((2, 3)), jnp.ones(2)))
