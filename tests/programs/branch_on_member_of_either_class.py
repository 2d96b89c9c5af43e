# category: python-branch-on-tracer
import queue
from typing import NamedTuple

import jax
import jax.numpy as jnp


class Grid(NamedTuple):
    nodes: jax.Array

    @property
    def spread(self):
        return self.nodes.shape[0]


class Walkers(NamedTuple):
    positions: jax.Array

    @property
    def spread(self):
        return jnp.std(self.positions)


def loss(params, batch):
    walkers, shift = batch
    # Of the two classes that declare `spread`, one has a number and one an array.
    if walkers.spread > 1:  #! OAK201 #~ TracerBoolConversionError
        return jnp.mean(params * walkers.positions)
    return jnp.mean(walkers.positions) - shift


waiting = queue.Queue()
waiting.put((Walkers(jnp.ones((4, 3, 2))), jnp.zeros(())))
print(jax.jit(loss)(jnp.ones(()), waiting.get()))
