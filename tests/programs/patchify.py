# category: traced-shape
import jax
import jax.numpy as jnp


def patches(image, *, size):
    h, w = image.shape
    blocks = image.reshape(h // size, size, w // size, size)  #! OAK211  #~ TypeError
    return blocks.transpose(0, 2, 1, 3).reshape(-1, size, size)


def pipeline(*stages):
    def run(image, options):
        for stage in stages:
            image = stage(image, **options)
        return image

    return jax.jit(run)


print(pipeline(patches)(jnp.ones((8, 8)), {"size": 4}).shape)
