# category: clean/traced-shape
from functools import partial

import jax
import jax.numpy as jnp
from flax import struct


@struct.dataclass
class Batch:
    tokens: jax.Array
    length: int = struct.field(pytree_node=False, default=4)


@jax.jit
def positions(batch):
    n = batch.tokens.shape[0]
    pos = jnp.arange(batch.length)
    table = jnp.zeros((n, batch.length), jnp.float32)
    return (table + pos).reshape(n * batch.length, -1), jnp.broadcast_to(pos, (n,) + pos.shape)


@partial(jax.jit, static_argnums=(1, 2))
def noise(key, rows, cols=2):
    return jax.random.normal(key, (rows, cols)) + jnp.linspace(0.0, 1.0, cols)


print([a.shape for a in positions(Batch(jnp.ones((2, 4), jnp.int32)))])
print(noise(jax.random.key(0), 3).shape)
