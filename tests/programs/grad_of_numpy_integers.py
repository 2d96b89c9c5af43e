# category: grad-type
import jax
import jax.numpy as jnp
import numpy as np


def load(seed):
    return np.random.default_rng(seed).integers(0, 256, (4, 4, 3))


def score(image, weights):
    scaled = image.astype(jnp.float32) / 255.0
    return jnp.sum(scaled.mean(-1) * weights)


def saliency(image, weights):
    return jax.grad(score)(jnp.asarray(image), weights)  #! OAK601  #~ TypeError


weights = jnp.linspace(-1, 1, 16).reshape(4, 4)
print(jax.grad(score)(load(0) / 255.0, weights).shape)
print(jax.grad(score)(np.arange(48).reshape(4, 4, 3) * 0.5, weights).shape)
print(saliency(load(0), weights))
