# category: clean/donate-unusable
# Data that NumPy made are narrow once they are on a device: the results take their memory.

import jax
import numpy as np


def draw(sizes, rng):
    return [(0.1 * rng.randn(m, n), 0.1 * rng.randn(n)) for m, n in zip(sizes[:-1], sizes[1:])]


@jax.jit(donate_argnums=0)
def shrink(layers):
    return [(w - 0.1 * w.sum(), b - 0.1 * b.sum()) for w, b in layers]


layers = jax.device_put(draw([7, 5, 3], np.random.RandomState(0)))
for _ in range(3):
    layers = shrink(layers)
