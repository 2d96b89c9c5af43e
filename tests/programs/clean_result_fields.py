# category: clean/python-branch-on-tracer
"""Fields of what functions of linear algebra return: arrays, which go on into compiled functions."""

import jax
import jax.numpy as jnp


@jax.jit
def log_density(x, covariance):
    determinant = jnp.linalg.slogdet(covariance)
    density = -0.5 * (x @ jnp.linalg.solve(covariance, x) + determinant.logabsdet)
    return jnp.where(determinant.sign > 0, density, -jnp.inf)


@jax.jit
def spread(values, logarithm):
    return jnp.max(values) - jnp.min(values) + logarithm


covariance = jnp.diag(jnp.arange(1.0, 4.0))
parts = jnp.linalg.eigh(covariance)
print(spread(parts.eigenvalues, jnp.linalg.slogdet(covariance).logabsdet))
print(spread(jnp.linalg.svd(covariance).S, 0.0), parts.eigenvectors.shape == (3, 3))
print(log_density(jnp.ones(3), covariance))
