# category: clean/invalid-number
"""Shares of exponentials from whose arguments the greatest was subtracted, or that are bounded."""

import jax
import jax.numpy as jnp


class Calibrated:
    def __init__(self, temperature, bias):
        self.temperature = temperature
        self.bias = bias

    def __call__(self, logits):
        scaled = logits / self.temperature + self.bias
        scaled = scaled - jnp.max(scaled, axis=-1, keepdims=True)
        likelihood = jnp.exp(scaled)
        return likelihood / jnp.sum(likelihood, axis=-1, keepdims=True)


def pooled(angles, values):
    concentrated = 5.0 * jnp.cos(angles)
    return jnp.sum(jnp.exp(concentrated) * values) / jnp.exp(concentrated).sum()


def evidence(log_weights):
    return jax.nn.logsumexp(log_weights) - jnp.log(log_weights.size)


@jax.jit
def gate(x):
    return jnp.exp(-jnp.logaddexp(0.0, -x)) + 1.0 / (1.0 + jnp.exp(x))


def ratio(log_new, log_old):
    return jnp.exp(log_new) / jnp.exp(log_old)


large = jnp.array([100.0, 0.0])
assert jnp.isfinite(Calibrated(1.0, jnp.zeros(2))(large)).all()
pooled(large, jnp.ones(2))
evidence(large)
gate(large)
ratio(jnp.zeros(2), jnp.ones(2))
