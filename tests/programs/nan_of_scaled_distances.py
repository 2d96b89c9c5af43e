# category: silent/nan-gradient
# The distances of points from themselves, which the caller has scaled twice alike.
import jax
import jax.numpy as jnp


def distances(x, y):
    return jnp.sqrt(jnp.sum((x[:, None, :] - y[None, :, :]) ** 2, axis=-1))  #! OAK602


def kernel(x, y, scale, shift):
    return jnp.exp(-distances((x - shift) * scale, (y - shift) * scale))


def fit(scale, points):
    return kernel(points, points, scale, 1.0).sum()


print(jax.grad(fit)(2.0, jnp.arange(6.0).reshape(3, 2)))
