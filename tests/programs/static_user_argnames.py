# category: traced-static-argument
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames=("order",))
def moment(x, order):
    return jnp.mean((x - x.mean()) ** order)


@jax.jit
def kurtosis(x):
    return moment(x, order=4) / moment(x, order=2) ** 2


@jax.jit
def generalized(x, orders):
    total = 0.0
    for k in orders:
        total += moment(x, order=k)  #! OAK212 #~ ValueError
    return total


x = jnp.array([0.1, 2.0, -1.0, 0.4])
print(kurtosis(x))
print(generalized(x, (2, 3)))
