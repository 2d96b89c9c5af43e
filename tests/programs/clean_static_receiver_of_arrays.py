# category: clean/unhashable-static-argument
"""Receivers that are hashed by numbers and tuples, by identity, or by what they define."""

import sys
from dataclasses import dataclass, field
from functools import partial

import jax
import jax.numpy as jnp


@dataclass(frozen=True, eq=False)
class Weights:
    held: jax.Array

    @partial(jax.jit, static_argnums=0)
    def applied(self, rows):
        return rows @ self.held


@dataclass(frozen=True)
class Sizes:
    sizes: tuple[int, ...]

    @partial(jax.jit, static_argnames="self")
    def split(self, rows):
        return rows.reshape(self.sizes)


@dataclass(frozen=True)
class Table:
    name: str
    held: list[int] = field(default_factory=list, compare=False)

    def __hash__(self):
        return hash(self.name)

    @partial(jax.jit, static_argnums=0)
    def length(self, rows):
        return rows * len(self.held)


def call(name, held, method, rows):
    made = getattr(sys.modules[__name__], name)(held)
    return getattr(made, method)(rows)


call("Weights", jnp.ones(3), "applied", jnp.ones(3))
call("Sizes", (3, 1), "split", jnp.ones(3))
call("Table", "primes", "length", jnp.ones(3))
