# category: bool-op-on-tracer
import jax
import jax.numpy as jnp


def band_power(signal, rate, low, high):
    spectrum = jnp.abs(jnp.fft.rfft(signal)) ** 2
    frequencies = jnp.fft.rfftfreq(signal.shape[-1], 1.0 / rate)
    inside = low <= frequencies < high  #! OAK203  #~ ValueError
    return jnp.sum(jnp.where(inside, spectrum, 0.0)) / jnp.sum(spectrum)


features = jax.jit(jax.vmap(band_power, in_axes=(0, None, None, None)), static_argnums=1)
print(features(jnp.ones((2, 16)), 100.0, 8.0, 13.0))
