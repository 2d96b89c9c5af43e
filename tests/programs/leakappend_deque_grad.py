# category: leak-append
from collections import deque

import jax
import jax.numpy as jnp

WINDOW = deque(maxlen=3)


def smoothed(value):
    WINDOW.append(value)  #! OAK101
    return sum(WINDOW) / len(WINDOW)


def loss(w, x):
    return smoothed(jnp.mean((x * w) ** 2))


step = jax.jit(jax.value_and_grad(loss))
value, g = step(jnp.ones(2), jnp.ones(2))
print(value)
value, g = step(jnp.ones(3), jnp.ones(3))  #~ UnexpectedTracerError
print(value)
