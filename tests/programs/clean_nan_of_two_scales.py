# category: clean/nan-where-grad
# No distance is zero: the scales differ, the points do, or one of them is another one by then.
import jax
import jax.numpy as jnp


def distances(x, y):
    return jnp.sqrt(jnp.sum((x[:, None, :] - y[None, :, :]) ** 2, axis=-1))


def moved(x, y):
    y = y + 100.0
    return jnp.sqrt(jnp.sum((x[:, None, :] - y[None, :, :]) ** 2, axis=-1))


def fit(scale, points, others):
    apart = distances(points * scale, points * (scale + 1.0))
    between = distances(points * scale, others * scale)
    return apart.sum() + between.sum() + moved(points * scale, points * scale).sum()


points = jnp.arange(1.0, 7.0).reshape(3, 2)
print(jax.grad(fit)(2.5, points, -points))
