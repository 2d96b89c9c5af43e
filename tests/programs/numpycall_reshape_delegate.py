# category: numpy-call-on-tracer
"""np.mean passes, np.clip on the line after it does not."""

import jax
import jax.numpy as jnp
import numpy as np


def soft_threshold(x, lam):
    center = np.mean(x)
    shrunk = np.clip(jnp.abs(x - center) - lam, 0.0, None)  #! OAK208 14 #~ TracerArrayConversionError
    return jnp.sign(x) * shrunk


@jax.jit
def ista(a, b, x, lam=0.1):
    for _ in range(2):
        x = soft_threshold(x - 0.1 * a.T @ (a @ x - b), lam)
    return x


print(ista(jnp.eye(2), jnp.ones(2), jnp.zeros(2)))
