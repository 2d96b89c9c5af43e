# category: silent/invalid-number
"""Shares of exponentials of which nothing keeps the arguments small."""

import jax
import jax.numpy as jnp


class Calibrated:
    def __init__(self, temperature, bias):
        self.temperature = temperature
        self.bias = bias

    def __call__(self, logits):
        likelihood = jnp.exp(logits / self.temperature + self.bias)
        return likelihood / jnp.sum(likelihood, axis=-1, keepdims=True)  #! OAK605


def pooled(scores, values):
    return jnp.sum(jnp.exp(scores) * values) / jnp.exp(scores).sum()  #! OAK605


def evidence(log_weights):
    return jnp.log(jnp.mean(jnp.exp(log_weights)))  #! OAK605


@jax.jit
def gate(x):
    return jnp.exp(x) / (1 + jnp.exp(x))  #! OAK605


large = jnp.array([100.0, 0.0])
assert jnp.isnan(Calibrated(1.0, jnp.zeros(2))(large)).any()
assert jnp.isnan(pooled(large, jnp.ones(2)))
assert jnp.isinf(evidence(large))
assert jnp.isnan(gate(large)).any()
