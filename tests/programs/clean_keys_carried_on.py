# category: clean/key-reuse
"""Walks that draw by a part of the key that they carry on, in each kind of loop."""

import jax
import jax.numpy as jnp


def walk(key, steps):
    place = jnp.zeros(2)
    for step in range(steps):
        key, part = jax.random.split(key)
        place = place + jax.random.normal(part, (2,))
    for step in range(steps):
        keys = jax.random.split(key, 3)
        key = keys[0]
        place = place + jax.random.normal(keys[1], (2,)) * jax.random.normal(keys[2])
    for step in range(steps):
        key, *parts = jax.random.split(key, 4)
        place = place + sum(jax.random.normal(each, (2,)) for each in parts)
    for step in range(steps):
        place = place + jax.random.normal(jax.random.fold_in(key, step), (2,))
    return place + jax.random.normal(key, (2,))


def choose(key, chances):
    taken = jnp.zeros(())
    for chance in chances:
        key, first, second = jax.random.split(key, 3)
        if chance > 0.5:
            taken = taken + jax.random.normal(first)
        else:
            taken = taken + jax.random.uniform(first) + jax.random.normal(second)
    return taken


def scanned(key):
    def step(carry, _):
        key, place = carry
        key, part = jax.random.split(key)
        return (key, place + jax.random.normal(part, (2,))), place

    return jax.lax.scan(step, (key, jnp.zeros(2)), None, length=4)[1]


def twice(key):
    def step(carry, _):
        key, place = carry
        key, part = jax.random.split(key)
        return (key, place + jax.random.normal(part, (2,))), place

    def counted(i, carry):
        return step(carry, i)[0]

    (key, place), _ = jax.lax.scan(step, (key, jnp.zeros(2)), None, length=4)
    key, part = jax.random.split(key)
    place = place + jax.random.normal(part, (2,))
    key, place = jax.lax.fori_loop(0, 3, counted, (key, place))
    return place + jax.random.normal(key, (2,))


def rebound_after(key):
    def step(key, _):
        drawn = jax.random.normal(key, (2,))
        key = jax.random.fold_in(key, 1)
        return key, drawn

    return jax.lax.scan(step, key, None, length=4)[1]


first, second, third, fourth, fifth = jax.random.split(jax.random.key(0), 5)
print(walk(first, 3).shape, choose(second, [0.1, 0.9]), scanned(third).shape)
print(rebound_after(fourth).shape, twice(fifth).shape)
