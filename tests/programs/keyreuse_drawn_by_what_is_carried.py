# category: silent/key-reuse
"""Walks that draw by the key which the next step splits, and not by its part."""

import jax
import jax.numpy as jnp


def walk(key, steps):
    place = jnp.zeros(2)
    for _ in range(steps):
        key, part = jax.random.split(key)  #! OAK401
        place = place + jax.random.normal(key, (2,))
    return place


def scanned(key):
    def step(carry, _):
        key, place = carry
        key, part = jax.random.split(key)  #! OAK401
        place = place + jax.random.normal(key, (2,))
        return (key, place), place

    return jax.lax.scan(step, (key, jnp.zeros(2)), None, length=4)[1]


def of_one_key(key):
    def step(key, _):
        key, part = jax.random.split(key)  #! OAK401
        return key, jax.random.normal(key, (2,))

    return jax.lax.scan(step, key, None, length=4)[1]


def until_far(key):
    def step(carry):
        key, place = carry
        place = place + jax.random.uniform(key)
        key, part = jax.random.split(key)  #! OAK401
        return key, place

    return jax.lax.while_loop(lambda carry: carry[1] < 3, step, (key, 0.0))[1]


key = jax.random.key(0)
print(walk(key, 3).shape, scanned(jax.random.key(1)).shape, of_one_key(jax.random.key(2)).shape)
print(until_far(jax.random.key(3)))
