# category: scalar-cast-of-tracer
"""A likelihood written with `math`: works on numbers, fails under value_and_grad."""

import math

import jax
import jax.numpy as jnp


def log_normal(x: float, mu: float, sigma: float) -> float:
    z = (x - mu) / sigma
    return -0.5 * z * z - math.log(sigma) - 0.5 * math.log(2 * math.pi)  #! OAK204 36 #~ ConcretizationTypeError


def negative_log_likelihood(theta, data):
    mu, sigma = theta["mu"], theta["sigma"]
    return -sum(log_normal(x, mu, sigma) for x in data)


data = [0.1, -0.2, 0.4]
print(negative_log_likelihood({"mu": 0.0, "sigma": 1.0}, data))
value, grads = jax.value_and_grad(negative_log_likelihood)({"mu": 0.0, "sigma": 1.0}, data)
print(value, jax.tree.map(jnp.asarray, grads))
