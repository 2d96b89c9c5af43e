# category: clean/deleted-array
# What is copied, or becomes something else, has a memory of its own.
import jax
import jax.numpy as jnp


def scale(samples, factor):
    return samples * factor


scale = jax.jit(scale, donate_argnums=0)


def normalise(samples):
    copied = samples.astype(jnp.float32, copy=True)
    whole = samples.astype(jnp.int32)
    table = samples.reshape(2, 2)
    made = jnp.array(samples)
    fetched = jax.device_get(samples)
    scaled = scale(samples, 2.0)
    return scaled - copied, whole + 1, table + 1.0, made + 1.0, fetched + 1.0


def renamed(samples):
    kept = jnp.asarray(samples)
    kept = kept * 1.0
    return scale(samples, 2.0) - kept


normalise(jnp.arange(4.0))
renamed(jnp.arange(4.0))
