# category: silent/unawaited-timing
"""The step itself returns at once, however its program was made."""

import time

import jax
import jax.numpy as jnp

step = jax.jit(lambda s: jnp.sin(s) @ s)
state = jnp.ones((64, 64))
step.lower(state).compile()
start = time.perf_counter()
result = step(state)
print(time.perf_counter() - start)  #! OAK711
print(result.shape)
