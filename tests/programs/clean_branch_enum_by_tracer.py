# category: clean/python-branch-on-tracer
"""Members found by what tracing knows, or by an array that has a value."""

import enum

import jax
import jax.numpy as jnp


class Season(enum.IntEnum):
    WINTER = 0
    SUMMER = 1


class Layout(enum.Enum):
    FLAT = 1
    GRID = 2


TEMPERATURES = [-3.0, 21.0]


@jax.jit
def yearly(field, season):
    match Layout(field.ndim):
        case Layout.FLAT:
            field = field[None]
        case Layout.GRID:
            pass
    cold = TEMPERATURES[Season(field.shape[0] - 1)]
    return field * cold + jnp.asarray(TEMPERATURES)[season] * Season.SUMMER


print(yearly(jnp.ones(3), 1), Season(jnp.argmax(jnp.asarray(TEMPERATURES))))
print(jax.grad(lambda x: x * Season(jnp.asarray(1)))(2.0))
