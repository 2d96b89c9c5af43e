# category: deleted-array
# A conversion to what an array is already returns the array itself: it is deleted with it.
import jax
import jax.numpy as jnp


def scale(samples, factor):
    return samples * factor


scale = jax.jit(scale, donate_argnums=0)


def normalise(samples):
    original = jnp.asarray(samples, jnp.float32)
    scaled = scale(samples, 2.0)
    if scaled.shape == (3,):
        print(scaled - original)
    return scaled, original


def flattened(samples):
    flat = samples.reshape(-1)
    scaled = scale(flat, 2.0)
    return scaled, samples


_, original = normalise(jnp.arange(4.0))
_, samples = flattened(jnp.arange(4.0))
if original.shape == (4,) and samples.is_deleted():
    typed = jnp.arange(4.0)
    kept = typed.astype(jnp.float32)
    scaled = scale(typed, 0.5)
    print(scaled - kept)  #! OAK701 #~ RuntimeError
