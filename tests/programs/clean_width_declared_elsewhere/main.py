# category: clean/branch
# The class of the object is not seen; the one that declares the member, in another file, says that
# it is a shape.
import grids
import jax
import jax.numpy as jnp


@jax.jit
def smoothed(grid):
    if grid.width > 3:
        return jnp.mean(grid.cells)
    return jnp.sum(grid.cells)


print(smoothed(grids.load("Grid")))
