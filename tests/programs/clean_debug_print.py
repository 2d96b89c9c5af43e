# category: clean/impure-print
import logging

import jax
import jax.numpy as jnp

log = logging.getLogger(__name__)


@jax.jit
def forward(x):
    print("tracing forward with", x.shape, x.dtype)
    log.debug("rank %d", x.ndim)
    jax.debug.print("x = {}", x)
    return x + 1


result = forward(jnp.ones(2))
print("result", result, f"{result.sum():.1f}")
