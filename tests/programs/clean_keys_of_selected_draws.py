# category: clean/key-reuse
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import lax


class Swap(NamedTuple):
    values: jax.Array
    places: jax.Array


@jax.jit
def noisy(key, mask, x):
    key, part = jax.random.split(key)
    wide = jax.random.normal(part, x.shape)
    flat = jax.random.uniform(part, x.shape)
    return x + jnp.where(mask, wide, flat)


def perturbed(key, mask, x):
    return lax.select(mask, jax.random.normal(key, x.shape), -jax.random.laplace(key, x.shape))


def swapped(key, x, size):
    first, second = jax.random.split(key)
    places = jax.random.randint(second, (2,), 0, size)
    return Swap(x + jax.random.normal(first, x.shape), places)


def proposed(key, flag, x):
    small = swapped(key, x, 2)
    large = swapped(key, x, 4)
    values = jnp.where(flag, small.values, large.values)
    return values, jnp.where(flag, small.places, large.places)


def mixed(key, first, second, x):
    wide = jax.random.normal(key, x.shape)
    flat = jax.random.uniform(key, x.shape)
    sharp = jax.random.laplace(key, x.shape)
    return jnp.where(first, wide, jnp.where(second, flat, sharp))


def restarted(key, done, x):
    fresh = {"x": jax.random.normal(key, x.shape)}
    moved = {"x": x + jax.random.uniform(key, x.shape)}
    return jax.tree.map(lambda new, old: jnp.where(done, new, old), fresh, moved)


mask = jnp.arange(4) > 1
print(mixed(jax.random.key(3), mask, mask[::-1], jnp.zeros(4)))
print(restarted(jax.random.key(4), mask, jnp.zeros(4)))
print(noisy(jax.random.key(0), mask, jnp.zeros(4)))
print(perturbed(jax.random.key(1), mask, jnp.zeros(4)))
print(proposed(jax.random.key(2), mask[0], jnp.zeros(4)))
