# category: clean/array-identity
"""Flags of Python and arrays told apart by `is`, each with code of its own."""

import functools

import jax
import jax.numpy as jnp


def masked(scores, causal):
    if causal is True:
        return jnp.tril(scores)
    elif causal is False:
        return scores
    else:
        return jax.lax.cond(causal, jnp.tril, lambda x: x, scores)


def padded(scores, mask=False):
    if mask is not False:
        scores = jnp.where(mask, scores, 0.0)
    return scores


def as_flag(flag):
    if flag is True or flag is False:
        return jnp.float32(flag)
    return flag.astype(jnp.float32)


def weight(flag):
    return 1.0 if flag is True else jnp.where(flag, 1.0, 0.0)


def scale(flag):
    if isinstance(flag, bool) and flag is True:
        return 2.0
    return jnp.where(flag, 2.0, 1.0)


def total(values, initial=False):
    result = values.sum()
    if initial is not False:
        result = result * 2
    return result


@functools.partial(jax.jit, static_argnames="training")
def step(x, training):
    if training is True:
        x = x * 0.5
    return x


scores, flag = jnp.ones((2, 2)), jnp.array(True)
assert jax.jit(masked)(scores, flag).sum() == masked(scores, True).sum() == 3
assert jax.jit(padded)(scores, flag).sum() == padded(scores).sum() == 4
assert jax.jit(as_flag)(True) == as_flag(True) == 1
assert jax.jit(weight)(True) == weight(True) == 1
assert jax.jit(scale)(True) == scale(True) == 2
assert jax.jit(total)(scores, 1.0) == 8
assert step(scores, training=True).sum() == 2
