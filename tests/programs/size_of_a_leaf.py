# category: traced-shape
import jax
import jax.numpy as jnp


class Grid:
    """A tree whose number of points is a leaf."""

    def __init__(self, height, points=31):
        self.height, self.points = height, points


def differences(points):
    half = points // 2
    return jnp.arange(1, half + 1) / points  #! OAK211 #~ ConcretizationTypeError


@jax.jit
def loss(height, grid):
    return differences(grid.points).sum() * height


jax.tree_util.register_pytree_node(
    Grid,
    lambda grid: ((grid.height, grid.points), None),
    lambda _, leaves: Grid(*leaves),
)
print(loss(jnp.ones(3), Grid(jnp.ones(3))))
