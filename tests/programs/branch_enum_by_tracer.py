# category: python-branch-on-tracer
"""An enumeration that cannot hash what it is given compares it with the values of its members."""

import enum

import jax
import jax.numpy as jnp


class Season(enum.IntEnum):
    WINTER = 0
    SUMMER = 1


TEMPERATURES = [-3.0, 21.0]


def heating(season):
    return jnp.maximum(20.0 - TEMPERATURES[season], 0.0)


@jax.jit
def yearly(days):
    total = heating(Season(0))
    season = days // 180
    return total + heating(Season(season))  #! OAK201 #~ TracerBoolConversionError


print(yearly(200))
