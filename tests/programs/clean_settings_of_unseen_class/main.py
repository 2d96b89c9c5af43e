# category: clean/traced-shape
"""The settings are of a class that is found by name; what is needed as a number is a static field."""

from importlib import import_module

import jax
import jax.numpy as jnp

settings = getattr(import_module("".join(["set", "tings"])), "Settings")(width=3, depth=2)


@jax.jit
def widen(settings, x):
    y = jnp.zeros(settings.width) + x * settings.scale
    for _ in range(settings.depth):
        y = y + jax.nn.one_hot(settings.width - 1, settings.width)
    return y[: settings.width - 1] * float(settings.depth)


print(widen(settings, 1.0))
