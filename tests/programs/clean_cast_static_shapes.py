# category: clean/scalar-cast-of-tracer
import math
from functools import partial

import jax
import jax.numpy as jnp
from flax import linen as nn


def fan_in_init(key, shape, dtype=jnp.float32):
    std = 1.0 / math.sqrt(shape[0])
    return std * jax.random.normal(key, shape, dtype)


class Attention(nn.Module):
    heads: int
    rate: float = 0.1

    @nn.compact
    def __call__(self, x, train: bool = False):
        dim = int(x.shape[-1])
        head_dim = int(dim / self.heads)
        w = self.param("w", fan_in_init, (dim, 3 * dim))
        q, k, v = jnp.split((x @ w).reshape(x.shape[0], self.heads, 3 * head_dim), 3, axis=-1)
        scores = jnp.einsum("thd,shd->hts", q, k) / math.sqrt(head_dim)
        if bool(train) and float(self.rate) > 0:
            scores = scores * (1 - self.rate)
        return jnp.einsum("hts,shd->thd", jax.nn.softmax(scores), v).reshape(x.shape)


model = Attention(heads=2)
params = model.init(jax.random.key(0), jnp.ones((3, 4)))
apply = jax.jit(partial(model.apply, train=True))
print(round(float(apply(params, jnp.ones((3, 4))).sum()), 3) is not None)
