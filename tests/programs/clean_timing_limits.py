# category: clean/missing-block-until-ready
import time

import jax
import jax.numpy as jnp

step = jax.jit(lambda x: 0.5 * x)


def timed_out(begin, budget=5.0):
    return time.monotonic() - begin > budget


begin = last = time.monotonic()
x = jnp.ones((4, 4))
for i in range(5):
    x = step(x)
    if timed_out(begin) or time.monotonic() - begin > 9.0:
        break
    if i % 2 == 0 and time.monotonic() - last > 1.0:
        last = time.monotonic()
print(x)
