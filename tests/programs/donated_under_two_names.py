# category: deleted-array
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, donate_argnums=(0, 1))
def advance(params, average):
    params = jax.tree.map(lambda p: 0.9 * p, params)
    return params, jax.tree.map(lambda a, p: 0.99 * a + 0.01 * p, average, params)


def start(key):
    params = {"w": jax.random.normal(key, (4, 4)), "b": jnp.zeros(4)}
    average = params
    return params, average


params, average = start(jax.random.key(0))
for _ in range(3):
    params, average = advance(params, average)  #! OAK701 #~ JaxRuntimeError
print(average["w"].sum())
