# category: unhashable-static-argument
"""A dataclass that compares its fields has no hash, of which its annotation tells."""

import sys
from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp


class Settings:
    def __hash__(self):
        return hash(type(self))


@dataclass
class Filter(Settings):
    width: int = 3


@partial(jax.jit, static_argnames=("settings",))  #! OAK304
def smooth(rows, settings: Filter):
    return rows / settings.width


def call(name, *arguments):
    return getattr(sys.modules[__name__], name)(*arguments)  #~ ValueError


print(call("smooth", jnp.ones(3), call("Filter")))
