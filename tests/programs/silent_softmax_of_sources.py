# category: silent/invalid-number
"""Shares of exponentials whose arguments are computed before, and as large as ever."""

import sys

import jax.numpy as jnp


def attend(query, keys):
    scores = query * keys / jnp.sqrt(query.shape[-1])
    weights = jnp.exp(scores)
    return weights / weights.sum(-1, keepdims=True)  #! OAK605


def classify(x, layer):
    logits = layer(x - x.mean())
    weights = jnp.exp(logits)
    return weights / weights.sum()  #! OAK605


def pooled(x, scale):
    x = jnp.asarray(x)
    x *= scale
    weights = jnp.exp(x)
    return weights / weights.sum()  #! OAK605


large = jnp.array([100.0, 1.0])
for name, other in {"attend": large, "classify": jnp.square, "pooled": 10.0}.items():
    assert jnp.isnan(getattr(sys.modules[__name__], name)(large, other)).any(), name
