# category: clean/carry-type-mismatch
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


def decay(i, y):
    return 0.5 * y + i


@jax.jit
def run(y, count, steps):
    y = lax.fori_loop(0, count, decay, y)
    y = lax.fori_loop(0, y.shape[0] // 2, decay, y)
    y = lax.fori_loop(jnp.int32(0), jnp.floor(steps).astype(int), decay, y)
    return lax.fori_loop(0, jnp.argmax(y), decay, y)


print(run(jnp.ones(4), np.int64(3), 2.5))
