# category: clean/hash-of-tracer
from functools import lru_cache, partial

import jax
import jax.numpy as jnp
import numpy as np

_TABLES = {}


@lru_cache(maxsize=None)
def dct_matrix(n):
    k = np.arange(n)
    return np.cos(np.pi * (k[:, None] + 0.5) * k / n).astype(np.float32)


def table(kind, n):
    key = (kind, n)
    if key not in _TABLES:
        _TABLES[key] = dct_matrix(n) if kind == "dct" else np.eye(n)
    return _TABLES[key]


@partial(jax.jit, static_argnames="kind")
def transform(x, kind):
    n = x.shape[-1]
    parts = {("out", n): x @ table(kind, n)}
    return parts["out", n]


print(transform(jnp.arange(4.0), "dct"), transform(jnp.ones(3), "eye"))
