# category: numpy-call-on-tracer
import jax
import jax.numpy as jnp
from numpy import log10, maximum


def decibel(power, floor=1e-10):
    return 10.0 * log10(maximum(power, floor))  #! OAK208  #~ TracerArrayConversionError


def spectrogram(frames):
    window = jnp.hanning(frames.shape[-1])
    return decibel(jnp.abs(jnp.fft.rfft(frames * window)) ** 2)


batched = jax.vmap(spectrogram)
print(batched(jnp.ones((2, 3, 8))).shape)
