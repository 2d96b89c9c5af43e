# category: python-branch-on-tracer
"""Bounds that are an empty list or a dict: behind the test, only the dict is left."""

import os

import jax
import jax.numpy as jnp


@jax.jit
def shifted(signal):
    bounds = [] if os.environ.get("OAKUM_PROGRAM_WITHOUT_BOUNDS") else {"low": jnp.min(signal)}
    if not bounds:
        bounds.append(0.0)
        return signal - bounds[0]
    if bounds["low"] < 0.0:  #! OAK201 #~ TracerBoolConversionError
        return signal - bounds["low"]
    return signal


shifted(jnp.linspace(-1.0, 1.0, 5))
