# category: dynamic-shape-op
from typing import NamedTuple

import jax
import jax.numpy as jnp


class Ragged(NamedTuple):
    values: jax.Array
    lengths: jax.Array

    def row_ids(self):
        ids = jnp.arange(len(self.lengths))
        return jnp.repeat(ids, self.lengths)  #! OAK210 16 #~ ConcretizationTypeError


def row_softmax(ragged: Ragged) -> jax.Array:
    rows = ragged.row_ids()
    n = len(ragged.lengths)
    e = jnp.exp(ragged.values - ragged.values.max())
    return e / jax.ops.segment_sum(e, rows, n)[rows]


ragged = Ragged(jnp.arange(5.0), jnp.array([2, 3]))
print(row_softmax(ragged))
print(jax.make_jaxpr(row_softmax)(ragged))
