# category: clean/star-import
"""A star import binds what `__all__` lists: not the `jit` that the module imports for itself."""

import jax.numpy as jnp
from transforms import *
from products import *

state = {"steps": 0}


@jit
def stepped(x):
    state["last"] = x
    if x.sum() > 0:
        return double(x)
    return x


print(stepped(jnp.ones(3)), state["last"])
