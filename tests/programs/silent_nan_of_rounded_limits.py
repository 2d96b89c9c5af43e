# category: silent/nan-gradient
"""Losses that take the logarithm of what floating point rounds to the edge of its domain."""

import jax
import jax.numpy as jnp


def cross_entropy(logits, labels):
    probabilities = jax.nn.softmax(logits, axis=-1)
    return -jnp.mean(jnp.sum(labels * jnp.log(probabilities), axis=-1))  #! OAK602


def binary_cross_entropy(logits, labels):
    p = jax.nn.sigmoid(logits)
    return -jnp.mean(labels * jnp.log(p) + (1 - labels) * jnp.log(1 - p))  #! OAK602


def softplus(x):
    return jnp.log(1.0 + jnp.exp(x))  #! OAK602


def squashed(x):
    action = jnp.tanh(x)
    return jnp.sum(jnp.log(1 - action**2))  #! OAK602


def density(x, mean, deviation):
    return jnp.exp(-jnp.square((x - mean) / deviation) / 2) / (jnp.sqrt(2 * jnp.pi) * deviation)


def entropy(mean, x):
    return -jnp.log(density(x, mean, 1.0))  #! OAK602


class Policy:
    def __init__(self, scale):
        self.scale = scale

    def loss(self, w, x):
        odds = jax.nn.softmax((self.scale * (x @ w)).reshape(-1))
        return jnp.log(odds[0])  #! OAK602


def update(policy, w, x):
    return w - 0.1 * jax.grad(policy.loss)(w, x)


far = jnp.array([[1e3, -1e3], [-1e3, 1e3]])
assert jnp.isnan(jax.grad(cross_entropy)(far, 1 - jnp.eye(2))).any()
assert jnp.isnan(jax.grad(binary_cross_entropy)(far, jnp.eye(2))).any()
assert jnp.isnan(jax.grad(softplus)(1e3))
assert jnp.isnan(jax.grad(squashed)(far)).any()
assert jnp.isnan(jax.grad(entropy)(0.0, 100.0))
assert jnp.isnan(update(Policy(1e3), jnp.ones(1), jnp.array([[-1.0], [1.0]]))).any()
