# category: static-unhashable
"""A dataclass that compares its fields has no hash, however else it is made and inherited."""

import dataclasses
import functools
from dataclasses import dataclass

import jax
import jax.numpy as jnp


class Named:
    def __hash__(self):
        return hash(type(self).__name__)


@dataclass(order=True)
class Priority(Named):
    level: int
    weight: float = dataclasses.field(default=1.0, compare=False)


class Urgent(Priority):
    pass


@functools.partial(jax.jit, static_argnames="priority")
def scale(x, priority):
    return x * priority.weight * priority.level


print(scale(jnp.ones(3), priority=Urgent(2)))  #! OAK304 #~ ValueError
