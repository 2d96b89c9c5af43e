# category: clean/numpy-index-by-tracer
import jax
import jax.numpy as jnp
import numpy as np

TABLE = np.arange(12.0, dtype=np.float32).reshape(3, 4)


def lookup(row, x):
    return TABLE[row] * x


def per_layer(x, layer=1):
    cols = np.arange(TABLE.shape[1])[::-1]
    return x + TABLE[layer, cols] + TABLE[..., : x.ndim].sum() + TABLE[layer][None]


print(jax.vmap(lookup, in_axes=(None, 0))(2, jnp.ones((2, 4))).shape)
print(jax.jit(per_layer)(jnp.ones(4)))
print(jax.grad(lambda x, i: jnp.sum(TABLE[i] * x), argnums=0)(jnp.ones(4), 0))
for i in jnp.arange(2):
    print(TABLE[i][0])
