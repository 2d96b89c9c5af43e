# category: silent/unawaited-timing
"""Between call and clock texts are shown, and no array."""

import logging
import time

import jax
import jax.numpy as jnp

logger = logging.getLogger("benchmark")


@jax.jit
def smooth(field):
    return jnp.tanh(field @ field.T)


def measure(field, repeats):
    start = time.perf_counter()
    result = smooth(field)
    print("done", repeats, result.shape)
    logger.info("smoothed %d times", repeats)
    print(f"field of {field.shape}, {repeats} repeats")
    return time.perf_counter() - start, result  #! OAK711


print(measure(jnp.ones((64, 64)), 1)[1].shape)
