# category: clean/traced-static-argument
import jax
import jax.numpy as jnp
from jax.scipy import linalg


@jax.jit
def summary(x, y, edges, limits):
    counts, *_ = jnp.histogram2d(x, y, bins=edges)
    plain, _ = jnp.histogram(x, bins=edges)
    ranged, _ = jnp.histogram(y, bins=4, range=(limits[0], limits[1]))
    return counts, plain, ranged


@jax.jit
def whiten(covariance, residual):
    factor = linalg.cho_factor(covariance, lower=True)
    again = linalg.cho_solve((jnp.linalg.cholesky(covariance), True), residual)
    return linalg.cho_solve(factor, residual) + again


print(summary(jnp.ones(3), jnp.zeros(3), jnp.arange(4.0), jnp.array([-1.0, 1.0])))
print(whiten(2 * jnp.eye(2), jnp.ones(2)))
