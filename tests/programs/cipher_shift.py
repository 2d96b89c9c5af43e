# category: range-of-tracer
import operator

import jax
import jax.numpy as jnp

WORD = "tracer"


def rotate(shift):
    cut = operator.index(shift)  #! OAK205  #~ TracerIntegerConversionError
    rotated = WORD[cut:] + WORD[:cut]
    return jnp.array([ord(c) for c in rotated])


print(jax.vmap(rotate)(jnp.arange(3)))
