# category: traced-shape
import jax
import jax.numpy as jnp
import equinox as eqx


class Grid(eqx.Module):
    length: float
    points: int

    @property
    def coords(self):
        return jnp.arange(self.points) * (self.length / self.points)  #! OAK211 #~ ConcretizationTypeError

    def spacing(self):
        return self.length / self.points


def energy(grid, amplitude):
    return amplitude * jnp.sum(jnp.sin(grid.coords)) * grid.spacing()


grid = Grid(3.0, 6)
print(energy(grid, 1.0))
print(eqx.filter_jit(energy)(grid, 2.0))
print(jax.jit(energy)(grid, 2.0))
