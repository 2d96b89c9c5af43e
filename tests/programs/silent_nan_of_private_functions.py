# category: silent/nan-gradient
"""Functions of a library that its users differentiate, also by a table, and compiled."""

import functools
import sys

import jax
import jax.numpy as jnp


def correlation(first, second):
    first_variance = jnp.maximum(0.0, first - 1.0)
    second_variance = jnp.maximum(0.0, second - 1.0)
    return jnp.sqrt(first_variance * second_variance)  #! OAK602


def orientation(e1, e2):
    angle = jnp.nan_to_num(jnp.arctan2(e2, e1)) / 2  #! OAK602
    return angle + e1


def _slopes(steps):
    return jnp.where(steps == 0.0, 0.0, 1.0 / steps)  #! OAK602


@jax.jit
def _logarithms(steps):
    return jnp.where(steps > 0.0, jnp.log(steps), 0.0)  #! OAK602


def _inverse(steps, scale):
    return jnp.where(steps != 0.0, scale / steps, 0.0)  #! OAK602


KEPT = {}


def inverses(steps, scale=2.0):
    if scale not in KEPT:
        KEPT[scale] = functools.partial(_inverse, scale=scale)
    return KEPT[scale](steps)


METHODS = {"slopes": _slopes, "logarithms": _logarithms}


def call(name):
    return METHODS.get(name) or getattr(sys.modules[__name__], name)


zeros = jnp.zeros(2)
for name, arguments in {
    "correlation": (zeros, zeros),
    "orientation": (0.0, 0.0),
    "inverses": (zeros,),
    "slopes": (zeros,),
    "logarithms": (zeros,),
}.items():
    _, pullback = jax.vjp(call(name), *arguments)
    assert jnp.isnan(jnp.asarray(pullback(jnp.ones_like(arguments[0])))).any(), name
