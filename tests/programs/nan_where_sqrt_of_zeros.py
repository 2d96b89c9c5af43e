# category: silent/nan-where-grad
import jax
import jax.numpy as jnp


def rectified_root(w):
    positive = w > 0
    return jnp.where(positive, jnp.sqrt(w), 0.0)  #! OAK602


def entropy(w):
    return jnp.where(w == 0, 0.0, jnp.log(w) * w)  #! OAK602


def encoded(w):
    bright = w > 0.25
    root = jnp.power(w, 1 / 2.4)
    return jnp.where(bright, root, 2.0 * w)  #! OAK602


def loss(w):
    parts = (rectified_root(w), entropy(w), encoded(w), jnp.sqrt(w + 1.0))
    return sum(part.sum() for part in parts)


print(jax.grad(loss)(jnp.zeros(3)))
