# category: clean/shape-mismatch
"""Helpers that take vectors and matrices, lists that grow, buffers that are replaced."""

import jax
import jax.numpy as jnp
import numpy as np


def project(x, basis):
    if x.ndim == 1:
        return basis @ x
    if x.shape[-1] != basis.shape[-1]:
        x = x.T
    return x @ basis.T


class Replay:
    def __init__(self):
        self.items = jnp.zeros((0, 3))
        self.sizes = []

    def push(self, rows):
        self.items = jnp.concatenate([self.items, rows])
        self.sizes.append(rows.shape[0])

    def weights(self):
        return jnp.ones(len(self.sizes)) / jnp.asarray(self.sizes)


def running(frames):
    previous = jnp.zeros(0)
    changes = []
    for number, frame in enumerate(frames):
        if number:
            changes.append(jnp.abs(frame - previous).max())
        previous = frame
    return jnp.stack(changes)


basis = jnp.ones((4, 3))
jax.jit(project)(jnp.ones(3), basis)
jax.jit(project)(jnp.ones((3, 5)), basis)
replay = Replay()
for count in (2, 5):
    replay.push(jnp.ones((count, 3)))
replay.items @ basis.T @ jnp.ones(4)
replay.weights()
running(np.ones((20, 6), np.float32))
layers = [jnp.ones((a, b)) for a, b in zip([3, 5, 4], [5, 4, 2], strict=True)]
hidden = jnp.ones((7, 3))
for layer in layers:
    hidden = jnp.tanh(hidden @ layer)
hidden + jnp.ones(2)
