# category: python-branch-on-tracer
"""Fields of named tuples, by the names that the class lists and by the defaults of its maker."""

from collections import namedtuple
from typing import NamedTuple

import jax
import jax.numpy as jnp


class State(NamedTuple):
    mean: jax.Array
    scale: jax.Array

    @classmethod
    def scaled(cls, *parts):
        if len(cls._fields) == 2:
            return cls(*parts)
        return cls(*parts) if parts[0] > 0 else None


def positive(state):
    kept = {}
    for name in State._fields:
        value = getattr(state, name)
        if value > 0:  #! OAK201 #~ TracerBoolConversionError
            kept[name] = value
    return kept


@jax.jit
def step(x):
    return positive(State.scaled(x, x))


Point = namedtuple("Point", "x y z", defaults=(None, 0.0))
Pair = namedtuple("Pair", ["a", "b"], defaults=[1])


@jax.jit
def point(x):
    p = Point(x)
    if p.y is None:
        assert p.x > 0  #! OAK201
    elif p.x < 0:
        return p.y
    if Pair(x).b > 0 and len(p._fields) == 3:
        return p.z
    return jnp.zeros(2) + jnp.zeros(3)


print(step(jnp.float32(1.0)))
