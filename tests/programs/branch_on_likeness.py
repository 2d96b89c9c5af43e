# category: branch
"""A compiled function makes tracers of everything, and what fills a likeness may be one."""

import jax
import jax.numpy as jnp


@jax.jit
def masked(x):
    mask = jnp.ones_like(x, dtype=bool)
    if mask.all():  #! OAK201 #~ TracerBoolConversionError
        return x
    return -x


def filled(x):
    if jnp.full_like(x, x.sum()).any():  #! OAK201 #~ TracerBoolConversionError
        return x
    return -x


masked(jnp.ones(3))
jax.vmap(filled)(jnp.ones((3, 2)))
