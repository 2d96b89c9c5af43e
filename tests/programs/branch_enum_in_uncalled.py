# category: python-branch-on-tracer
"""A function that is only declared: a member is looked up by a leaf of its parameters, and whatever
else the parameter may be has no member.
"""

import enum

import jax
import jax.numpy as jnp


class Mode(enum.Enum):
    TRAIN = 0
    EVAL = 1


class Step(enum.Enum):
    FIRST = enum.auto()
    LAST = enum.auto()


@jax.jit
def scaled(x, mode):
    if Mode(mode) is Mode.EVAL:  #! OAK201
        return x
    return 2.0 * x


@jax.jit
def stepped(x, step):
    return x if Step(step) is Step.FIRST else -x  #! OAK201


@jax.jit
def started(x, mode):
    return jnp.where(mode == Mode.EVAL.value, x, 2.0 * x)
