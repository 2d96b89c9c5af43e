# category: clean/unhashable-static-argument
"""Dataclasses have a hash where they are frozen, compare identity, or define one."""

import sys
from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp


@dataclass(frozen=True)
class Filter:
    width: int = 3


@dataclass(eq=False)
class Kernel:
    width: int = 3


@dataclass
class Window:
    width: int = 3

    def __hash__(self):
        return hash(self.width)


class Base:
    """What has a hash in subclasses that are frozen."""


@dataclass(frozen=True)
class Wide(Base):
    width: int = 5


@partial(jax.jit, static_argnames=("first", "second", "third", "fourth"))
def smooth(rows, first: Filter, second: Kernel, third: Window, fourth: Base):
    return rows / (first.width + second.width + third.width + fourth.width)


def call(name, *arguments):
    return getattr(sys.modules[__name__], name)(*arguments)


parts = [call(name) for name in ("Filter", "Kernel", "Window", "Wide")]
print(call("smooth", jnp.ones(3), *parts))
