# category: leak-metadata
import functools

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from flax import struct


@struct.dataclass
class Tokens:
    ids: jax.Array
    log_probs: jax.Array | np.ndarray | None = struct.field(  #! OAK106
        pytree_node=False, default=None
    )


@functools.partial(
    jax.tree_util.register_dataclass, data_fields=["values"], meta_fields=["weights", "size"]
)
class Weighted:
    values: jax.Array
    weights: jax.Array  #! OAK106
    size: int

    def __init__(self, values, weights, size):
        self.values, self.weights, self.size = values, weights, size


class Head(eqx.Module):
    weight: jax.Array
    classes: tuple[int, ...] = eqx.field(static=True)
    table: np.ndarray = eqx.field(static=True)


@jax.jit
def longest(tokens):
    return jnp.max(tokens.ids)


@jax.jit
def mean(weighted):
    return jnp.dot(weighted.values, weighted.weights) / weighted.size


print(mean(Weighted(jnp.ones(3), jnp.arange(3.0), 3)))
head = Head(jnp.ones(2), (1, 2), np.arange(2))
print(eqx.filter_jit(lambda head: head.weight * head.classes[0])(head))
for scale in (1.0, 2.0):
    tokens = Tokens(jnp.arange(4), log_probs=scale * jnp.ones(4))
    print(longest(tokens))  #~ ValueError
