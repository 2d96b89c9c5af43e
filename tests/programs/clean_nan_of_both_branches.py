# category: clean/nan-gradient
"""Logarithms of a share, by functions that do not round it."""

import jax
import jax.numpy as jnp


def zero_inflated(logit, counts, log_density):
    log_share, log_rest = jax.nn.log_sigmoid(logit), jax.nn.log_sigmoid(-logit)
    zero = jnp.logaddexp(log_share, log_rest + log_density)
    return -jnp.sum(jnp.where(counts < 0.5, zero, log_rest + log_density))


def masked_entropy(logits, mask):
    log_p = jax.nn.log_softmax(logits, axis=-1)
    return jnp.sum(jnp.where(mask, log_p[..., 0], 0.0))


def chosen_branch(p, x):
    def logarithm(x):
        return jnp.log(jax.nn.sigmoid(x))

    return jax.lax.cond(p, logarithm, lambda x: x, x)


far = jnp.full(3, 40.0)
assert jnp.isfinite(jax.grad(zero_inflated)(far, jnp.ones(3), -jnp.ones(3))).all()
jax.grad(masked_entropy)(jnp.array([[-200.0, 200.0]]), jnp.array([False]))
jax.grad(chosen_branch, argnums=1)(False, 2.0)
