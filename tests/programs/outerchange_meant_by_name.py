# category: silent/outer-change
"""Counters whose names say that they watch tracing or follow calls: nobody sets them back."""

import itertools

import jax
import jax.numpy as jnp

seen_batches = 0
node_ids = itertools.count()


class Optimizer:
    def __init__(self):
        self.step_id = 0
        self.depth = 0

    def update(self, w, slope):
        self.step_id += 1  #! OAK112
        with_rate = self._scaled(slope)
        return w - with_rate

    def _scaled(self, slope):
        self.depth += 1
        scaled = 0.1 * slope
        self.depth -= 1
        return scaled


optimizer = Optimizer()


@jax.jit
def train(w, x):
    global seen_batches
    seen_batches += 1  #! OAK112
    bias = next(node_ids)  #! OAK105
    return optimizer.update(w, x * w) + bias


def body(i, x):
    print("tracing the body")  #! OAK112
    return x * 0.5


w = jnp.ones(2)
for _ in range(4):
    w = train(w, jnp.ones(2))
jax.lax.fori_loop(0, 8, body, w)
assert (seen_batches, optimizer.step_id, optimizer.depth, next(node_ids)) == (1, 1, 0, 1)
