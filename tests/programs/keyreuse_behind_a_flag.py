# category: silent/key-reuse
"""What draws behind a flag, in code that is passed in, and by the first of some keys, over again."""

import jax
import jax.numpy as jnp


def augment(key, image, flip, jitter):
    if flip:
        image = jnp.where(jax.random.bernoulli(key), image[::-1], image)
    if jitter > 0.0:
        image = image + jitter * jax.random.normal(key, image.shape)  #! OAK401
    return image


def drop(seed, rows, noise):
    key = jax.random.key(seed)
    rows = rows + jax.random.normal(key, rows.shape) if noise else rows
    return jnp.where(jax.random.bernoulli(key, 0.5, rows.shape), rows, 0.0)  #! OAK401


def place(key, width, height, rotated):
    if rotated:
        corner = jax.random.uniform(key, (2,))
    else:
        corner = jax.random.uniform(key, (2,), maxval=jnp.array([width, height]))
    return corner, jax.random.uniform(key)  #! OAK401


def act(policy, key, observation):
    action = policy(observation, key)
    key, part = jax.random.split(key)  #! OAK401
    return action, part


def starts(key, count, width):
    keys = jax.random.split(key, count)
    rows = []
    for _ in range(count):
        rows.append(jax.random.normal(keys[0], (width,)))  #! OAK401
    return jnp.stack(rows)


print(drop.__name__, augment.__name__)
