# category: hash-of-tracer
import jax
import jax.numpy as jnp

_KERNELS = {}


def gaussian_kernel(sigma, radius=2):
    """Builds the kernel once per sigma."""
    key = (sigma, radius)
    if key not in _KERNELS:  #! OAK216 #~ TypeError
        xs = jnp.arange(-radius, radius + 1)
        k = jnp.exp(-0.5 * (xs / sigma) ** 2)
        _KERNELS[key] = k / k.sum()  #? OAK216
    return _KERNELS[key]  #? OAK216


def blur(image, sigma):
    k = gaussian_kernel(sigma)
    return jax.vmap(lambda row: jnp.convolve(row, k, mode="same"))(image)


image = jnp.ones((4, 6))
print(jax.jit(blur)(image, 1.0))
