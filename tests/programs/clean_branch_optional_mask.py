# category: clean/python-branch-on-tracer
"""Branches on None, rank, dtype, pytree structure and static flags."""

from functools import partial

import jax
import jax.numpy as jnp


def attention(q, k, v, mask=None, *, causal=False):
    scores = q @ k.T / jnp.sqrt(q.shape[-1])
    if mask is not None:
        scores = jnp.where(mask, scores, -1e9)
    if causal:
        scores = jnp.where(jnp.tri(*scores.shape, dtype=bool), scores, -1e9)
    if not jnp.issubdtype(scores.dtype, jnp.floating):
        raise TypeError("scores must be floating")
    return jax.nn.softmax(scores) @ v


@partial(jax.jit, static_argnames=("causal", "heads"))
def multi_head(params, x, mask=None, *, causal=False, heads=2):
    if x.ndim == 2:
        x = x[None]
    assert x.shape[-1] % heads == 0, "features must divide"
    if "bias" in params:
        x = x + params["bias"]
    if heads > 1 and len(params) > 1:
        parts = jnp.split(x, heads, axis=-1)
    else:
        parts = [x]
    out = [jax.vmap(lambda h: attention(h, h, h, mask, causal=causal))(p) for p in parts]
    return jnp.concatenate(out, axis=-1)


params = {"bias": jnp.zeros(4), "scale": None}
print(multi_head(params, jnp.ones((3, 4)), causal=True).shape)
print(multi_head(params, jnp.ones((2, 3, 4)), jnp.ones((3, 3), bool)).shape)
