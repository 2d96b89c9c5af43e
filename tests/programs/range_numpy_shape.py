# category: range-of-tracer
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def padded(x, count):
    rows = np.zeros((count, 2))  #! OAK205 #~ TracerIntegerConversionError
    return x + jnp.asarray(rows).sum()


padded(jnp.ones(2), 3)
