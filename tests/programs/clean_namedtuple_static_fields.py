# category: clean/traced-static-argument
from typing import NamedTuple

import jax
import jax.numpy as jnp
from functools import partial


class Hyper(NamedTuple):
    axis: int = 0
    k: int = 2
    depth: int = 3


@partial(jax.jit, static_argnames=("hp",))
def encode(x, hp=Hyper()):
    values, idx = jax.lax.top_k(x, hp.k)
    onehot = jax.nn.one_hot(idx, hp.depth)
    for _ in range(hp.k):
        onehot = jnp.roll(onehot, 1, axis=hp.axis)
    return values.sum(axis=hp.axis), onehot.reshape(hp.k, -1)


def sweep(x, ks=(1, 2)):
    return [encode(x, hp=Hyper(k=k)) for k in ks]


print([jnp.shape(v) for pair in sweep(jnp.arange(3.0)) for v in pair])
print(jax.vmap(lambda x: encode(x, Hyper(k=1)))(jnp.ones((2, 3)))[0])
