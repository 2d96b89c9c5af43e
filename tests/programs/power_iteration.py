# category: python-loop-on-tracer
import jax
import jax.numpy as jnp


class PowerIteration:
    def __init__(self, tolerance=1e-3, limit=50):
        self.tolerance = tolerance
        self.limit = limit
        self.solve = jax.jit(self._solve)

    def _solve(self, matrix):
        vector = jnp.ones(matrix.shape[0]) / jnp.sqrt(matrix.shape[0])
        change = jnp.inf
        count = 0
        while change > self.tolerance and count < self.limit:  #| OAK202  #| OAK203  #~ TracerBoolConversionError
            product = matrix @ vector
            updated = product / jnp.linalg.norm(product)
            change = jnp.abs(updated - vector).max()
            vector = updated
            count += 1
        return vector @ matrix @ vector


print(PowerIteration().solve(jnp.array([[2.0, 1.0], [1.0, 3.0]])))
