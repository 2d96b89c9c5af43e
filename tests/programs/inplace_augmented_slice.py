# category: inplace-mutation
import jax
import jax.numpy as jnp


def reflect_boundary(u):
    u[0] = u[1]  #! OAK215 #~ TypeError
    return u


def laplacian(u):
    return jnp.roll(u, 1) + jnp.roll(u, -1) - 2 * u


class HeatEquation:
    def __init__(self, n, alpha=0.1):
        self.u = jnp.linspace(0.0, 1.0, n)
        self.alpha = alpha

    def solve(self, steps):
        u = self.u
        for _ in range(steps):
            u = u + self.alpha * laplacian(u)
            u = reflect_boundary(u)
        return u


print(HeatEquation(5).solve(2))
