# category: clean/dynamic-shape-op
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames="k")
def sparse_top(x, k):
    (idx,) = jnp.nonzero(x > 0.5, size=k, fill_value=-1)
    uniq, counts = jnp.unique(x.round(), return_counts=True, size=k, fill_value=0.0)
    hist = jnp.bincount(idx.clip(0), length=x.shape[0])
    rep = jnp.repeat(x, jnp.array([1, 2, 1, 0]), total_repeat_length=4)
    safe = jnp.where(x > 0, x, 0.0)
    return idx, uniq, counts, hist, rep, safe


x = jnp.array([0.2, 0.8, 0.9, 0.1])
print(sparse_top(x, k=3))
print(jnp.unique(x), jnp.argwhere(x > 0.5).shape)
