# category: silent/nan-gradient
"""A logarithm of what is rounded, in both branches of a selection or by another test."""

import jax
import jax.numpy as jnp


def zero_inflated(logit, counts, log_density):
    share = jax.nn.sigmoid(logit)
    log_rest = jnp.log1p(-share + 1e-8)  #! OAK602
    zero = jnp.logaddexp(jnp.log(share + 1e-6), log_rest + log_density)
    return -jnp.sum(jnp.where(counts < 0.5, zero, log_rest + log_density))


def masked_entropy(logits, mask):
    p = jax.nn.softmax(logits, axis=-1)
    log_p = jnp.log(p)  #! OAK602
    return jnp.sum(jnp.where(mask, log_p[..., 0], 0.0))


far = jnp.full(3, 40.0)
assert jnp.isnan(jax.grad(zero_inflated)(far, jnp.ones(3), -jnp.ones(3))).all()
logits = jnp.array([[-200.0, 200.0]])
assert jnp.isnan(jax.grad(masked_entropy)(logits, jnp.array([False]))).any()
