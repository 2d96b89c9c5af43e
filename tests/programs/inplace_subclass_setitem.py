# category: inplace-mutation
import jax
import jax.numpy as jnp


class Grid:
    """Wraps an array; assignment through the wrapper reaches the array."""

    def __init__(self, values):
        self.values = values

    def __getitem__(self, index):
        return self.values[index]

    def __setitem__(self, index, value):
        self.values[index] = value  #! OAK215 #~ TypeError


class Padded(Grid):
    def fill_border(self, value):
        self[0] = value
        self[-1] = value
        return self


def energy(values):
    grid = Padded(values)
    grid = grid.fill_border(0.0)
    return jnp.sum(jnp.diff(grid[:]) ** 2)


print(jax.value_and_grad(energy)(jnp.arange(4.0)))
