# category: clean/numpy-call-on-tracer
"""NumPy reductions call the method of an object that is not an ndarray, so these few work on tracers."""

import jax
import jax.numpy as jnp
import numpy as np


def zscore(x):
    return (x - np.mean(x)) / (np.std(x) + np.finfo(x.dtype).eps)


@jax.jit
def summary(x):
    rows = np.sum(x, axis=0) + np.max(x, axis=0) - np.min(x, axis=0)
    flipped = np.transpose(x)
    order = np.swapaxes(x, 0, 1)
    total = np.cumsum(x, axis=1) * np.ndim(x) + np.size(x)
    return zscore(x), rows, flipped.shape, order, total, np.argmax(x), np.real(x), np.round(x)


print([np.shape(v) for v in summary(jnp.arange(6.0).reshape(2, 3))])
