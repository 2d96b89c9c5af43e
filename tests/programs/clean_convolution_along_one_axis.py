# category: clean/shape-mismatch
"""The axis of a convolution may be one number."""

import jax
import jax.numpy as jnp


@jax.jit
def smooth(kernel, u):
    return jax.scipy.signal.fftconvolve(kernel, u, axes=-1)[..., : u.shape[-1]]


print(smooth(jnp.ones((2, 4)), jnp.ones((2, 4))))
