# category: clean/bool-op-on-tracer
import jax
import jax.numpy as jnp


def crop_common(*images):
    height = min(image.shape[0] for image in images)
    width = min(image.shape[1] for image in images)
    largest = max(images, key=lambda image: image.size)
    same = all(image.dtype == largest.dtype for image in images)
    if 0 < height <= largest.shape[0] and same:
        return jnp.stack([image[:height, :width] for image in images])
    raise ValueError


print(jax.jit(crop_common)(jnp.ones((3, 4)), jnp.ones((5, 2))).shape)
