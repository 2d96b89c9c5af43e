# category: clean/nan-gradient
"""Logarithms that are taken of the formula, or of what is kept off zero."""

import jax
import jax.numpy as jnp


def cross_entropy(logits, labels):
    probabilities = jax.nn.softmax(logits, axis=-1)
    kept = jnp.log(probabilities + 1e-7) + jnp.log(jnp.clip(probabilities, 1e-6, 1.0))
    return -jnp.mean(jnp.sum(labels * (kept + jax.nn.log_softmax(logits)), axis=-1))


def binary_cross_entropy(logits, labels):
    return -jnp.mean(labels * jax.nn.log_sigmoid(logits) + (1 - labels) * jax.nn.log_sigmoid(-logits))


def softplus(x):
    return jnp.maximum(x, 0.0) + jnp.log1p(jnp.exp(-jnp.abs(x))) + jnp.log(2.0 + jnp.tanh(x))


def squashed(x):
    return jnp.sum(jnp.log(1 - jnp.tanh(x) ** 2 + 1e-6))


def log_sum(x):
    return jnp.log(jnp.sum(jnp.exp(x - jnp.max(x))))


def gaussian(parameters, x):
    mean, log_deviation = parameters
    deviation = jnp.exp(log_deviation)
    return -0.5 * ((x - mean) / deviation) ** 2 - jnp.log(deviation)


def of_data(w, x):
    return w * jnp.log(jax.nn.sigmoid(x))


far = jnp.array([[1e3, -1e3], [-1e3, 1e3]])
assert jnp.isfinite(jax.grad(cross_entropy)(far, 1 - jnp.eye(2))).all()
assert jnp.isfinite(jax.grad(binary_cross_entropy)(far, jnp.eye(2))).all()
assert jnp.isfinite(jax.grad(softplus)(1e3))
for function in (squashed, log_sum):
    assert jnp.isfinite(jax.grad(function)(far)).all()
assert jnp.isfinite(jax.grad(gaussian)((0.0, -3.0), 2.0)[0])
jax.grad(of_data)(1.0, -1e3)
