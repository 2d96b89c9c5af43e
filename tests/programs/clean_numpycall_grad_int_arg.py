# category: clean/numpy-call-on-tracer
import jax
import jax.numpy as jnp
import numpy as np
from functools import partial


def spectral_weights(n, order):
    k = np.fft.rfftfreq(n, 1.0 / n)
    return np.exp(-36.0 * (k / max(k.max(), 1.0)) ** order)


@partial(jax.jit, static_argnums=(1, 2))
def dealias(u, order, axis=-1):
    w = spectral_weights(u.shape[axis], order)
    return jnp.fft.irfft(jnp.fft.rfft(u, axis=axis) * w, n=u.shape[axis])


def energy(u, order=2):
    assert np.issubdtype(u.dtype, np.floating)
    pad = np.zeros(u.shape, u.dtype)
    idx = np.arange(np.shape(u)[0])
    return jnp.mean(dealias(u, order)[idx] ** 2) + pad.sum()


u = jnp.sin(jnp.linspace(0, 6, 8))
print(energy(u), jax.grad(energy)(u).shape, np.abs(dealias(u, 4)).max())
