# category: clean/traced-slice-bound
import jax
import jax.numpy as jnp
from jax import lax


def crop(key, image, size=2):
    limits = jnp.array(image.shape) - size
    corner = jax.random.randint(key, (2,), 0, limits)
    patch = lax.dynamic_slice(image, (corner[0], corner[1]), (size, size))
    row = lax.dynamic_index_in_dim(image, corner[0], keepdims=False)
    return patch, row[: size + 1], image[corner[0], -size:]


print(jax.vmap(crop)(jax.random.split(jax.random.key(0), 2), jnp.ones((2, 4, 4))))
