# category: leak-closure
from functools import lru_cache

import jax
import jax.numpy as jnp


@lru_cache
def gaussian(size):
    offsets = jnp.arange(size) - size // 2  #? OAK104
    kernel = jnp.exp(-0.5 * offsets**2)  #? OAK104
    return kernel / kernel.sum()  #| OAK104


def blur(row):
    return jnp.convolve(row, gaussian(3), mode="same")  #~ UnexpectedTracerError


image = jnp.ones((4, 5))
jax.jit(lambda im: jax.vmap(blur)(im))(image)
print(blur(image[0]))
