# category: clean/nan-gradient
"""Bounds that single precision tells from the edge, and an epsilon that is added to the rest."""

import jax
import jax.numpy as jnp


def cross_entropy(logits, labels):
    p = jnp.clip(jax.nn.sigmoid(logits), 1e-6, 1 - 1e-6)
    return -jnp.mean(labels * jnp.log(p) + (1 - labels) * jnp.log(1 - p))


def angle(cosine):
    return jnp.arccos(jnp.clip(cosine, -1.0 + 1e-6, 1.0 - 1e-6))


def sine(cosine):
    cosine = jnp.minimum(cosine, 0.999)
    return jnp.sqrt(1.0 - cosine**2)


def log_of_rest(logits):
    dropped = jax.nn.sigmoid(logits)
    return jnp.log(1 - dropped + 1e-8).sum() + jnp.log(dropped + 1e-8).sum()


def above(x):
    return jnp.log(jnp.maximum(x, 1.0) - 0.5) + jnp.sqrt(-jnp.minimum(x, -2.0))


assert jnp.isfinite(jax.grad(cross_entropy)(jnp.array([40.0]), jnp.ones(1))).all()
assert jnp.isfinite(jax.grad(angle)(1.0))
assert jnp.isfinite(jax.grad(sine)(1.5))
assert jnp.isfinite(jax.grad(log_of_rest)(jnp.array([40.0]))).all()
assert jnp.isfinite(jax.grad(above)(0.0))
