# category: clean/traced-slice-bound
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames=("width",))
def crop(x, start, width):
    half = x.shape[0] // 2
    a = jax.lax.dynamic_slice_in_dim(x, start, width)
    b = x[half - 1 : half + 1]
    c = x[start + jnp.arange(width)]
    d = x[:width][::-1]
    e = x[start] + x[-1:, ...]
    return a, b, c, d, e


print(crop(jnp.arange(8.0), 2, width=3))
seq = list(range(10))
for i in range(2):
    print(seq[i : i + 2], jnp.arange(5)[i : jnp.int32(3)])
