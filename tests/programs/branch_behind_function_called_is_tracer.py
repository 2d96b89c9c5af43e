# category: python-branch-on-tracer
import os

import jax
import jax.numpy as jnp

CHECKS = os.environ.get("SCALE_CHECKS", "on") == "on"


def is_tracer(value):
    """A ray of light that is followed, not a value of JAX."""
    return CHECKS and jnp.ndim(value) > 1


@jax.jit
def clip(rays, limit):
    if is_tracer(limit):
        return rays
    if limit > 0:  #! OAK201 8 #~ TracerBoolConversionError
        return jnp.minimum(rays, limit)
    return rays


print(clip(jnp.ones(3), 0.5))
