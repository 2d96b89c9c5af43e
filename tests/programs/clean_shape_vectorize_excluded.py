# category: clean/traced-shape
from functools import partial

import jax.numpy as jnp


@partial(jnp.vectorize, signature="(n)->(k)", excluded={1, 2})
def spread(sample, limit=2.0, pixels=8):
    if pixels > 100:
        raise ValueError("too many pixels")
    grid = jnp.linspace(-limit, limit, pixels)
    return jnp.exp(-jnp.square(grid - sample.mean()))


def image(samples, pixels):
    return spread(samples, 3.0, pixels)


print(image(jnp.ones((4, 5)), len("pixels")))
