# category: branch-on-tracer
"""A module that is called has a flag with a default, and a compiled method of its operator."""

import sys

import equinox as eqx
import jax
import jax.numpy as jnp


class Smoother(eqx.Module):
    weights: jax.Array

    @jax.jit
    def __call__(self, signal, squeeze=True):
        smooth = jnp.convolve(signal.ravel(), self.weights, mode="same")
        if squeeze:  #! OAK201 12 #~ TracerBoolConversionError
            return smooth
        return smooth[None]


def main(name):
    smoother = getattr(sys.modules[__name__], name)(jnp.ones(3) / 3)
    signal = jnp.arange(6.0)
    print(smoother(signal))
    print(getattr(smoother, "__call__")(signal, squeeze=False))


main("".join(["Smoo", "ther"]))
