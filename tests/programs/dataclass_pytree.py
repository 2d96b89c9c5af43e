# category: inplace-mutation
from dataclasses import dataclass, field

import jax
import jax.numpy as jnp


@jax.tree_util.register_dataclass
@dataclass
class Grid:
    cells: jax.Array
    spacing: float = field(metadata={"static": True}, default=1.0)

    def set_boundary(self, value):
        for edge in (0, -1):
            self.cells[edge] = value  #! OAK215  #~ TypeError
        return self


@jax.jit
def heat(grid, value):
    lap = jnp.diff(jnp.pad(grid.cells, 1, mode="edge"), n=2) / grid.spacing**2
    return Grid(grid.cells + 0.1 * lap, grid.spacing).set_boundary(value)


print(heat(Grid(jnp.ones(4)), 0.0))
