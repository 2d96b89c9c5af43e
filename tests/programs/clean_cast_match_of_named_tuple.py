# category: clean/scalar-cast-of-tracer
"""What the patterns hand on to Python is what tracing knows; other cases are never reached."""

from collections import namedtuple
from dataclasses import dataclass, field
from typing import NamedTuple

import jax
import jax.numpy as jnp


class Window(NamedTuple):
    values: jax.Array
    width: int


Crop = namedtuple("Crop", "rows columns")


@dataclass
class Blend:
    weight: jax.Array
    rounds: int = field(default=2, kw_only=True)


class Tile:
    __match_args__ = ("count", "image")

    def __init__(self, image, count):
        self.image, self.count = image, count


def apply(step, image):
    match step:
        case Tile(count, part):
            return jnp.concatenate([part] * count) + image.shape[0]
        case Window(values, width=2 | 3 as width):
            return image[:width] * values
        case Window(values):
            return image * float(values)
        case Crop(rows, columns) if rows > 1:
            return image[:rows, :columns]
        case Blend(weight, rounds=rounds):
            for _ in range(rounds):
                image = weight * image
            return image
        case tuple(pair):
            return image + float(len(pair))
        case jax.Array(shape=(n, _)):
            return image * float(n)


@jax.jit
def run(image, weight):
    tiled = apply(Tile(image, 2), image)
    image = apply(Crop(3, 2), apply(Window(weight, 3), tiled))
    image = apply((weight, weight), apply(Blend(weight, rounds=3), image))
    return apply(image, image)


print(run(jnp.ones((4, 3)), jnp.asarray(2.0)))
