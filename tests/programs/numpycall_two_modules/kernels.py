"""Covariance functions as closures."""

import jax
import jax.numpy as jnp
import numpy as np


def rbf(length, scale):
    return lambda a, b: scale * jnp.exp(-0.5 * ((a - b) / length) ** 2)


def periodic(length, period):
    freq = np.pi / period

    def k(a, b):
        s = np.sin(freq * np.pi) if period is None else np.square(jnp.sin(freq * (a - b)))  #! OAK208 #~ TracerArrayConversionError
        return jnp.exp(-2.0 * s / length**2)

    return k


KERNELS = {"rbf": rbf, "periodic": periodic}


def gram(kernel, xs):
    return jax.vmap(lambda a: jax.vmap(lambda b: kernel(a, b))(xs))(xs)
