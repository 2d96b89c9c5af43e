# category: leak-append
import collections

import jax
import jax.numpy as jnp

window = collections.deque(maxlen=4)


def loss(w, x):
    error = x @ w - 1.0
    window.appendleft(jnp.abs(error).max())  #! OAK101
    return jnp.mean(error**2)


gradient = jax.grad(loss)
gradient(jnp.ones(2), jnp.ones((3, 2)))
print(sum(window) / len(window) + jnp.ones(1))  #~ UnexpectedTracerError
