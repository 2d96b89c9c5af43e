# category: numpy-call-on-tracer
import jax
import jax.numpy as jnp
import numpy as onp


def whiten(x):
    centered = x - x.mean(axis=0)
    covariance = centered.T @ centered / x.shape[0]
    values, vectors = onp.linalg.eigh(covariance)  #! OAK208  #~ TracerArrayConversionError
    return centered @ vectors / jnp.sqrt(values + 1e-5)


print(jax.jit(whiten)(jnp.arange(6.0).reshape(3, 2)))
