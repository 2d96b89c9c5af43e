# category: traced-static-argument
from functools import partial

import jax
import jax.numpy as jnp


def reducers(axis):
    return {
        "mean": partial(jnp.mean, axis=axis),
        "max": partial(jnp.max, axis=axis, keepdims=True),
    }


def pooled(x, name, axis):
    return reducers(axis)[name](x)  #! OAK212 #~ ConcretizationTypeError


class Pool:
    def __init__(self, name):
        self.name = name

    def __call__(self, x, axis=0):
        return pooled(x, self.name, axis)


pool = jax.jit(Pool("mean"))
x = jnp.ones((2, 3))
print(pool(x))
print(pool(x, axis=1))
