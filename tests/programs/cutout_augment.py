# category: inplace-mutation
import jax
import jax.numpy as jnp
import numpy as np


def cutout(key, image, size=2):
    mask = np.ones(image.shape, dtype=np.float32)
    center = jax.random.uniform(key) * image.shape[0]
    mask[0, 0] = center  #! OAK215  #~ ValueError
    return image * mask


def augment(images, key):
    keys = jax.random.split(key, len(images))
    return jax.vmap(cutout)(keys, images)


print(augment(jnp.ones((2, 4, 4)), jax.random.key(0)))
