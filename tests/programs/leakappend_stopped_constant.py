# category: leak-append
import jax
import jax.numpy as jnp

HISTORY = []


def decay(step, limit):
    # Under tracing it is staged, also for a plain number.
    HISTORY.append(jax.lax.stop_gradient(limit))  #! OAK101
    return jnp.minimum(step, limit) * 0.9


@jax.jit
def update(weights):
    return weights * decay(weights.sum(), 3)


update(jnp.ones(2))
print(HISTORY[-1] + 1)  #~ UnexpectedTracerError
