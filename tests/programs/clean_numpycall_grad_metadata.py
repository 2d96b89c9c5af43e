# category: clean/numpy-call-on-tracer
import jax
import jax.numpy as jnp
import numpy as np


def init_scale(shape):
    return np.sqrt(2.0 / np.prod(shape[:-1]))


def loss(params, x):
    """NumPy sees shapes, dtypes, constants and random seeds, never traced values."""
    n = np.size(x) // np.shape(x)[-1]
    out = x
    for i, w in enumerate(params):
        out = jnp.tanh(out @ w) * init_scale(w.shape)
    mask = np.tri(n, dtype=np.float32)
    eps = np.finfo(out.dtype).eps
    result = np.result_type(out, np.float32)
    return jnp.sum((mask @ out).astype(result)) + eps * np.ndim(x)


params = [np.ones((2, 3), np.float32), np.ones((3, 1), np.float32)]
grads = jax.grad(loss)(params, jnp.ones((2, 2)))
print([np.linalg.norm(g) for g in grads], np.mean(np.stack([np.asarray(g).sum() for g in grads])))
