# category: clean/boolean-mask-index
import jax
import jax.numpy as jnp
import numpy as np

KEEP = np.array([True, False, True])


@jax.jit
def censored(x, observed):
    total = jnp.sum(x, where=observed)
    mean = total / jnp.maximum(observed.sum(), 1)
    x = jnp.where(observed, x - mean, x)
    return x[KEEP], x[:, None][jnp.array([0, 2])]


print(censored(jnp.arange(3.0), jnp.array([True, True, False])))
