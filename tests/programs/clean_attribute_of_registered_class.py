# category: clean/branch
"""A class that is made a pytree where nobody sees it: its width is in the structure."""

import sys

import jax
import jax.numpy as jnp


class Grid:
    def __init__(self, values, width):
        self.values = values
        self.width = width


def made_tree(cls, leaf, static):
    def flatten(one):
        return (getattr(one, leaf),), getattr(one, static)

    def unflatten(of_static, leaves):
        return cls(*leaves, of_static)

    register = getattr(jax.tree_util, "".join(["register_", "pytree_node"]))
    register(cls, flatten, unflatten)


made_tree(Grid, "values", "width")


@jax.jit
def spread(grid: Grid):
    if grid.width > 2:
        return jnp.pad(grid.values, 1)
    return grid.values


made = getattr(sys.modules[__name__], "".join(["Gr", "id"]))
spread(made(jnp.ones(3), 4))
