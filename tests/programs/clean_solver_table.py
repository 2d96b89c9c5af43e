# category: clean/python-branch-on-tracer
import enum
from functools import partial

import jax
import jax.numpy as jnp


class Scheme(enum.Enum):
    EULER = "euler"
    MIDPOINT = "midpoint"


@partial(jax.jit, static_argnames=("f", "scheme", "steps"))
def solve(f, y, h, scheme=Scheme.EULER, steps=3):
    for _ in range(steps):
        match scheme:
            case Scheme.EULER:
                y = y + h * f(y)
            case Scheme.MIDPOINT:
                y = y + h * f(y + 0.5 * h * f(y))
    return y


print([solve(jnp.sin, jnp.ones(2), 0.1, s) for s in Scheme])
