# category: branch-inside-checkify
"""An array given to a checked function is closed over, and what is computed of it is traced."""

import jax.numpy as jnp
from jax.experimental import checkify


def logarithm(x, floor):
    checkify.check(jnp.all(x > 0), "not positive")
    if jnp.min(x) < floor:  #! OAK201  #~ TracerBoolConversionError
        x = jnp.maximum(x, floor)
    return jnp.log(x)


error, result = checkify.checkify(logarithm)(jnp.ones(3), 0.5)
error.throw()
print(result)
