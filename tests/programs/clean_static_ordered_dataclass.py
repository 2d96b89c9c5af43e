# category: clean/static-unhashable
"""Dataclasses that keep or are given a hash."""

import functools
from dataclasses import dataclass

import jax
import jax.numpy as jnp


@dataclass(order=True, frozen=True)
class Size:
    rows: int


@dataclass(unsafe_hash=True)
class Scale:
    rows: int


@dataclass(eq=False)
class Table:
    rows: int


@dataclass(eq=True)
class Grid:
    rows: int

    def __hash__(self):
        return self.rows


class Compared:
    def __eq__(self, other):
        return type(self) is type(other)


@dataclass(frozen=True)
class Mesh(Compared):
    rows: int


class Fine(Grid):
    pass


@functools.partial(jax.jit, static_argnums=1)
def fold(x, shape):
    return x.reshape(shape.rows, -1)


for shape in (Size(2), Scale(2), Table(2), Grid(2), Mesh(2), Fine(2)):
    print(fold(jnp.ones(6), shape))
