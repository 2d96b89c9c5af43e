# category: unhashable-static-argument
"""A mask is static by its number, which counts the receiver too."""

import sys
from functools import partial

import jax
import jax.numpy as jnp


class Filter:
    @partial(jax.jit, static_argnums=(0, 3, 4))  #! OAK304
    def run(self, rows, scale, store=False, mask=None):
        if mask is not None:
            mask = mask[..., jnp.newaxis]
            rows = jnp.where(mask, rows, 0.0)
        return rows * scale if store else rows


def call(name, *arguments):
    return getattr(getattr(sys.modules[__name__], "Filter")(), name)(*arguments)  #~ ValueError


print(call("run", jnp.ones((2, 3)), 2.0))
print(call("run", jnp.ones((2, 3)), 2.0, True, jnp.array([True, False])))
