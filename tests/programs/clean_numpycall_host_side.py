# category: clean/numpy-call-on-tracer
import jax
import jax.numpy as jnp
import numpy as np


def _sosfilt_host(x):
    return np.asarray(np.cumsum(x) * 0.5, dtype=np.float32)


@jax.jit
def filtered(x):
    shape = jax.ShapeDtypeStruct(np.shape(x), x.dtype)
    y = jax.pure_callback(_sosfilt_host, shape, x)
    taps = np.hanning(x.shape[0]).astype(np.float32)
    scale = np.prod(x.shape) / np.sqrt(2.0)
    return y * taps / np.float32(scale) + jnp.asarray(np.ones(np.ndim(x)))


def log_host(y):
    print("host mean", np.mean(y))


@jax.jit
def monitored(x):
    jax.debug.callback(log_host, x)
    return filtered(x)


out = monitored(jnp.arange(4.0))
print(np.percentile(np.asarray(out), 50), np.log1p(out))
