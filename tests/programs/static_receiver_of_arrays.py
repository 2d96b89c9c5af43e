# category: unhashable-static-argument
"""The receiver is static, and its class hashes it by its fields: an array, or a list."""

import sys
from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp


@dataclass(frozen=True)
class Weights:
    held: jax.Array

    @partial(jax.jit, static_argnums=0)  #! OAK304
    def applied(self, rows):
        return rows @ self.held


@dataclass(frozen=True)
class Sizes:
    sizes: list[int]

    @partial(jax.jit, static_argnames="self")  #! OAK304
    def split(self, rows):
        return rows.reshape(self.sizes)


def call(name, held, method, rows):
    made = getattr(sys.modules[__name__], name)(held)
    return getattr(made, method)(rows)  #~ ValueError


try:
    call("Sizes", [3, 1], "split", jnp.ones(3))
except ValueError:
    call("Weights", jnp.ones(3), "applied", jnp.ones(3))
