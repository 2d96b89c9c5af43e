# category: traced-slice-bound
from dataclasses import dataclass

import jax
import jax.numpy as jnp


@jax.tree_util.register_dataclass
@dataclass
class Sequence:
    tokens: jax.Array
    length: jax.Array

    def trimmed(self):
        return self.tokens[: self.length]  #! OAK214 #~ IndexError


def embed(table, seq):
    return table[seq.tokens].mean(0)


def encode(table, seq):
    first = embed(table, seq)
    ids = seq.trimmed()
    return first + table[ids].sum(0)


seq = Sequence(jnp.array([1, 2, 0, 0]), jnp.int32(2))
table = jnp.eye(3)
print(encode(table, seq))
print(jax.jit(encode)(table, seq))
