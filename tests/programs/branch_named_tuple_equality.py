# category: branch-on-named-tuple
"""The comparison of two positions is the one of their class, which gives an array."""

from typing import NamedTuple

import jax
import jax.numpy as jnp


class Position(NamedTuple):
    row: jax.Array
    column: jax.Array

    def __eq__(self, other):
        return (self.row == other.row) & (self.column == other.column)


@jax.jit
def reward(head, goal):
    if Position(*head) == Position(*goal):  #! OAK201  #~ TracerBoolConversionError
        return 1.0
    return 0.0


print(reward(jnp.array([1, 2]), jnp.array([1, 2])))
