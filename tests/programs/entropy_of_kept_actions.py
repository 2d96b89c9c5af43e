# category: clean/nan-where-grad
import jax
import jax.numpy as jnp


def masked(logits, legal):
    return jax.nn.softmax(jnp.where(legal, logits, -jnp.inf))


def entropy(p):
    kept = jnp.where(p > 0, p, 1.0)
    return -jnp.sum(jnp.where(p > 0, p * jnp.log(kept), 0.0))


def attend(scores, mask, values):
    weights = jax.nn.softmax(jnp.where(mask, scores, float("-inf")))
    return jnp.where(mask, weights / weights.shape[0], 0.0) @ values


theta, legal = jnp.ones((3, 4)), jnp.array([True, True, False, True])
slope = jax.grad(lambda theta: entropy(masked(jnp.ones(3) @ theta, legal)))(theta)
assert bool(jnp.isfinite(slope).all())
assert bool(jnp.isfinite(jax.grad(attend)(jnp.ones(4), legal, jnp.ones((4, 2)).sum(1))).all())
