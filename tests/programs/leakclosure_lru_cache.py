# category: leak-closure
from functools import cache

import jax
import jax.numpy as jnp


@cache  #| OAK104
def positional_table(length, dim):
    """Shared by all layers, computed once."""
    angle = jnp.arange(length)[:, None] / 10000.0 ** (jnp.arange(dim) / dim)
    return jnp.sin(angle)  #| OAK104


def encode(x):
    return x + positional_table(*x.shape)  #| OAK104 #~ UnexpectedTracerError


@jax.jit
def forward(x):
    return encode(x).sum()


print(forward(jnp.ones((3, 2))))
print(encode(jnp.ones((3, 2))))
