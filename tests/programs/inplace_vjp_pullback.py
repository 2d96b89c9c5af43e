# category: inplace-mutation
import jax
import jax.numpy as jnp
import numpy as np


def jacobian_rows(f, x):
    """Fills a host buffer row by row."""
    y, pullback = jax.vjp(f, x)
    rows = np.zeros((y.shape[0], x.shape[0]), np.float32)
    for i in range(y.shape[0]):
        cotangent = jnp.zeros_like(y).at[i].set(1.0)
        (rows[i],) = pullback(cotangent)  #! OAK215 #~ TracerArrayConversionError
    return rows


def residuals(theta):
    return jnp.stack([theta.sum(), theta[0] * theta[1], theta[1] ** 2])


def gauss_newton(theta):
    jac = jacobian_rows(residuals, theta)
    return theta - jnp.linalg.lstsq(jac, residuals(theta))[0]


print(gauss_newton(jnp.array([1.0, 2.0])))
print(jax.jit(gauss_newton)(jnp.array([1.0, 2.0])))
