# category: leak-container
import logging

import jax
import jax.numpy as jnp

history = []


@jax.jit
def step(x):
    try:
        y = jnp.tanh(x)
        history.append(y.sum())  #! OAK101
    except Exception:
        logging.exception("the step failed")
        y = x
    return y


step(jnp.ones(3))
print(history[0] + 1.0)  #~ UnexpectedTracerError
