# category: shape-mismatch
import jax
import jax.numpy as jnp


def residuals(parameters, xs):
    return parameters[0] * xs + parameters[1]


def gauss_newton(parameters, xs, ys):
    predicted, pullback = jax.vjp(lambda p: residuals(p, xs), parameters)
    error = predicted - ys
    (gradient,) = pullback(error)
    (total,) = pullback(jnp.sum(error**2))  #! OAK501 #~ ValueError
    return gradient, total


jax.jit(gauss_newton)(jnp.ones(2), jnp.arange(4.0), jnp.ones(4))
