# category: inplace-mutation
import jax
import jax.numpy as jnp


def covariance(x):
    centered = x - x.mean(0)
    return centered.T @ centered / (x.shape[0] - 1)


def shrink(cov, alpha):
    target = jnp.zeros_like(cov)
    for i in range(cov.shape[0]):
        target[i, i] = cov[i, i]  #! OAK215 #~ TypeError
    return (1 - alpha) * cov + alpha * target


def mahalanobis(x, y, alpha=0.1):
    cov = shrink(covariance(x), alpha)
    d = y - x.mean(0)
    return d @ jnp.linalg.solve(cov, d)


print(mahalanobis(jnp.array([[0.0, 1.0], [1.0, 0.5], [2.0, 2.0]]), jnp.ones(2)))
