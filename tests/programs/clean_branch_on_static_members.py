# category: clean/python-branch-on-tracer
import queue
from typing import NamedTuple

import jax
import jax.numpy as jnp


class Walkers(NamedTuple):
    positions: jax.Array
    weights: jax.Array

    @property
    def batch_shape(self):
        assert self.weights.ndim <= self.positions.ndim
        return self.positions.shape[:-2]


def make_loss(penalty):
    def loss(params, batch):
        walkers, shift = batch
        if walkers.batch_shape[-1] > 1:
            return jnp.mean(params * walkers.positions) + penalty
        return jnp.mean(walkers.positions) - shift

    return loss


waiting = queue.Queue()
waiting.put((Walkers(jnp.ones((4, 3, 2)), jnp.ones(4)), jnp.zeros(())))
step = jax.jit(make_loss(0.5))
print(step(jnp.ones(()), waiting.get()))
