# category: clean/key-reuse
"""One of several flags decides who draws by a key, or what was tried before has failed."""

import jax
import jax.numpy as jnp


def either(key, rows, noise):
    if noise:
        rows = rows + jax.random.normal(key, rows.shape)
    if not noise:
        rows = rows * jax.random.uniform(key, rows.shape)
    return rows


def of_kind(key, rows, kind):
    if kind == "normal":
        rows = rows + jax.random.normal(key, rows.shape)
    if kind == "uniform":
        rows = rows + jax.random.uniform(key, rows.shape)
    return rows


def at_most(key, rows, noise):
    if noise == 0.0:
        return rows + jax.random.uniform(key, rows.shape)
    return rows + noise * jax.random.normal(key, rows.shape)


def attempt(key, rows, scale):
    try:
        return rows @ jax.random.normal(key, (3, scale))
    except TypeError:
        return rows * jax.random.normal(key, rows.shape)


def replaced(key, rows, noise):
    if noise:
        key, part = jax.random.split(key)
        rows = rows + jax.random.normal(part, rows.shape)
    return rows * jax.random.uniform(key, rows.shape)


def of_each(key, rows, count, noise):
    for step in range(count):
        if noise:
            rows = rows + jax.random.normal(jax.random.fold_in(key, step), rows.shape)
    return rows


def helper(key, rows, noise):
    if noise:
        rows = rows + jax.random.normal(key, rows.shape)
    return rows


def of_helper(key, rows, noise):
    rows = helper(key, rows, noise)
    if not noise:
        rows = rows + jax.random.uniform(key, rows.shape)
    return rows


def act(policy, key, observation):
    key, part = jax.random.split(key)
    return policy(observation, part), key


def shown(log, key, observation):
    log.write(observation, key)
    key, part = jax.random.split(key)
    return key, part


def starts(key, count, width):
    keys = jax.random.split(key, count)
    rows = [jax.random.normal(keys[0], (width,)), jax.random.normal(keys[1], (width,))]
    for index in range(2, count):
        rows.append(jax.random.normal(keys[index], (width,)))
    return jnp.stack(rows)


key = jax.random.key(0)
rows = jnp.ones((2, 3))
print(either(key, rows, True).shape)
