# category: silent/leak-iterator
"""The batch iterator moves while tracing only: every later call reuses the first batch."""

import jax
import jax.numpy as jnp
import numpy as np


def batches(data, size):
    for i in range(0, len(data), size):
        yield data[i : i + size]


class Trainer:
    def __init__(self, data):
        self.loader = batches(data, 2)
        self.step = jax.jit(self._step)

    def _step(self, w):
        batch = next(self.loader)  #! OAK105
        return w - 0.1 * (w - batch.mean(0))


trainer = Trainer(np.arange(12.0, dtype=np.float32).reshape(6, 2))
w = jnp.zeros(2)
for _ in range(3):
    w = trainer.step(w)
print(w)
