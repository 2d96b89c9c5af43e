# category: clean/invalid-number
"""Shares of exponentials whose arguments are kept small before they have their names."""

import sys

import jax
import jax.numpy as jnp


def subtracted_in_place(logits):
    logits -= logits.max(-1, keepdims=True)
    weights = jnp.exp(logits)
    return weights / jnp.sum(weights, axis=-1, keepdims=True)


def added_opposite(logits):
    opposite = -logits.max()
    shifted = logits + opposite
    weights = jnp.exp(shifted)
    return weights / weights.sum()


def subtracted_at(logits):
    logits = logits.at[:].add(-logits.max())
    weights = jnp.exp(logits)
    return weights / weights.sum()


def subtracted_in_leaves(logits):
    tree = jax.tree.map(lambda leaf: leaf - leaf.max(), {"a": logits})
    weights = jnp.exp(tree["a"])
    return weights / weights.sum()


def cosines(keys):
    keys = keys / jnp.linalg.norm(keys)
    weights = jnp.exp(keys * keys)
    return weights / weights.sum()


def relative(scores):
    share = scores / jnp.max(jnp.abs(scores))
    weights = jnp.exp(share)
    return weights / weights.sum()


def decaying(times):
    exponents = -0.1 * times
    weights = jnp.exp(exponents)
    return weights / weights.sum()


def opposite_of_square(x):
    exponents = jnp.negative(jnp.square(x))
    weights = jnp.exp(exponents)
    return weights / (1.0 + weights)


def clipped(x):
    x = x.clip(-20, 20)
    weights = jnp.exp(x)
    return weights / (weights + 1)


def turned(x):
    weights = jnp.exp(1j * x)
    return jnp.abs(weights / jnp.sum(weights))


def of_probabilities(x):
    log_probs = x.at[:].set(jax.nn.log_softmax(x))
    weights = jnp.exp(log_probs)
    return weights / weights.sum()


def known(_x):
    steps = jnp.linspace(0.0, 1.0, 5)
    prior = jnp.array([0.5, 1.5])
    noise = jax.random.uniform(jax.random.key(0), (3,))
    some, other, last = jnp.exp(steps), jnp.exp(prior), jnp.exp(noise)
    return some / some.sum(), other / other.sum(), last / last.sum()


def sigmoid(x):
    return jnp.where(x >= 0, 1 / (1 + jnp.exp(-x)), jnp.exp(x) / (1 + jnp.exp(x)))


class Mixture:
    def __init__(self, logits):
        self.logits = logits - logits.max()

    def weights(self):
        weights = jnp.exp(self.logits)
        return weights / weights.sum()


def all_finite(tree):
    return all(bool(jnp.isfinite(leaf).all()) for leaf in jax.tree.leaves(tree))


for name in """
    subtracted_in_place added_opposite subtracted_at subtracted_in_leaves cosines relative decaying
    opposite_of_square clipped turned of_probabilities known sigmoid
""".split():
    assert all_finite(getattr(sys.modules[__name__], name)(jnp.array([100.0, 1.0]))), name
assert all_finite(Mixture(jnp.array([100.0, 1.0])).weights())
