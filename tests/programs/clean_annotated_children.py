# category: clean/leak-metadata
import functools

import jax
import jax.numpy as jnp
import numpy as np
from flax import struct


@struct.dataclass
class Tokens:
    ids: jax.Array
    log_probs: jax.Array | np.ndarray | None = None
    names: tuple[str, ...] = struct.field(pytree_node=False, default=())


@functools.partial(
    jax.tree_util.register_dataclass, data_fields=["values", "weights"], meta_fields=["size"]
)
class Weighted:
    values: jax.Array
    weights: jax.Array
    size: int

    def __init__(self, values, weights, size):
        self.values, self.weights, self.size = values, weights, size


@jax.jit
def longest(tokens):
    return jnp.max(tokens.ids)


@jax.jit
def mean(weighted):
    return jnp.dot(weighted.values, weighted.weights) / weighted.size


print(mean(Weighted(jnp.ones(3), jnp.arange(3.0), 3)))
for scale in (1.0, 2.0):
    print(longest(Tokens(jnp.arange(4), log_probs=scale * jnp.ones(4))))
