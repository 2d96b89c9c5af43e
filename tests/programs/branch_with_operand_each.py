# category: clean/non-jax-type-argument
import jax
import jax.numpy as jnp


def sometimes(change, image, key, chance):
    chosen = jax.random.uniform(key) <= chance
    return jax.lax.cond(chosen, image, change, image, lambda same: same)


def brighten(image):
    return jnp.clip(image + 0.1, 0.0, 1.0)


def augment(images, key):
    keys = jax.random.split(key, images.shape[0])
    return jax.vmap(lambda image, one: sometimes(brighten, image, one, 0.5))(images, keys)


def later(change, image, taken):
    """Who calls this is not seen."""
    return jax.lax.cond(taken, image, change, image, lambda same: same)


print(augment(jnp.zeros((2, 3, 3)), jax.random.key(4)).shape)
