"""Stages of the pipeline; none of them mentions a transform."""

from dataclasses import dataclass

import jax.numpy as jnp


def smooth(x):
    return 0.5 * (x + jnp.roll(x, 1))


def peak(x):
    return jnp.abs(x).max()


@dataclass
class Gate:
    threshold: float

    def __call__(self, x):
        level = peak(x)
        if level < self.threshold:  #! OAK201 12 #~ TracerBoolConversionError
            return jnp.zeros_like(x)
        return x / level
