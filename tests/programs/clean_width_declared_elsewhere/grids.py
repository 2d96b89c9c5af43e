from dataclasses import dataclass

import jax
import jax.numpy as jnp


@jax.tree_util.register_dataclass
@dataclass
class Grid:
    cells: jax.Array

    @property
    def width(self):
        return self.cells.shape[0]


def load(name):
    return globals()[name](jnp.ones((4, 4)))
