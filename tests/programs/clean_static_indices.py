# category: clean/numpy-index-by-tracer
import jax
import jax.numpy as jnp
import numpy as np

WEIGHTS = np.hanning(7)
ORDER = np.argsort(WEIGHTS)


@jax.jit
def combine(frames):
    total = 0.0
    for i, frame in enumerate(frames):
        total = total + WEIGHTS[i] * frame
    return total[ORDER[:2]] * WEIGHTS[frames.shape[0] - 1]


print(combine(jnp.ones((3, 7))))
