# category: leak-attribute
# The `finally` itself keeps the value: nothing sets the attribute again.
import jax
import jax.numpy as jnp


class Tracker:
    last = None


@jax.jit
def step(x):
    scaled = x
    try:
        scaled = jnp.sin(x) * 2.0
    finally:
        Tracker.last = scaled  #! OAK103
    return scaled


print(step(jnp.ones(3)))
print(Tracker.last + 1.0)  #~ UnexpectedTracerError
