# category: clean/non-jax-type-argument
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import lax
from jax.tree_util import register_pytree_node


class Shape:
    def __init__(self, kind, size):
        self.kind = kind
        self.size = size


class Box(Shape):
    def volume(self):
        return self.size**3


register_pytree_node(Box, lambda box: ((box.size,), box.kind), lambda kind, sizes: Box(kind, *sizes))


class Reading(NamedTuple):
    level: jax.Array
    unit: None = None


def box_of(length):
    return Box("box", 2.0 * length)


def advance(level, valve):
    level = level + 0.3 - valve * level
    return level, Reading(level)


def slope_and_name(level):
    return level**2, "parabola"


print(jax.vmap(box_of)(jnp.arange(3.0)).volume())
print(lax.scan(advance, jnp.zeros(()), jnp.linspace(0.0, 0.5, 4))[1].level)
print(jax.grad(slope_and_name, has_aux=True)(2.0))
