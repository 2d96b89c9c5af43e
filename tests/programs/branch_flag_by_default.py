# category: branch-on-tracer
"""A jitted function of a library has a flag with a default, which is never traced itself."""

import sys

import jax
import jax.numpy as jnp


@jax.jit
def normalize(rows, centered=True):
    if centered:  #! OAK201 8 #~ TracerBoolConversionError
        rows = rows - rows.mean(axis=0)
    return rows / jnp.linalg.norm(rows, axis=1, keepdims=True)


def main(name):
    library = sys.modules[__name__]
    rows = jnp.arange(1.0, 7.0).reshape(3, 2)
    print(getattr(library, name)(rows))
    print(getattr(library, name)(rows, centered=False))


main("".join(["normal", "ize"]))
