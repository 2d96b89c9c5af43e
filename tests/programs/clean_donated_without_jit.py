# category: clean/use-after-donate
# Where `jit` is turned off nothing is donated, whenever the array is read.
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, donate_argnums=0)
def update(weights, gradient):
    return weights - 0.1 * gradient


weights = jnp.ones(3)
with jax.disable_jit():
    expected = update(weights, jnp.ones(3))
print(expected, weights)
