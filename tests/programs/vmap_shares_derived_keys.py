# category: silent/shared-key
"""All lanes get one key, and what is split from it: that is one mistake, reported once."""

import jax
import jax.numpy as jnp


def rotation(key, count):
    key, first = jax.random.split(key)  #! OAK401
    phi = jax.random.uniform(first, (count,))
    key, second = jax.random.split(key)
    theta = jax.random.uniform(second, (count,))
    return jnp.stack([phi, theta])


def average(x, key):
    return jnp.mean(rotation(key, 3)) * x


@jax.jit
def integrate(xs, key):
    return jax.vmap(lambda x: average(x, key))(xs)


def rotation_of_each(key, x):
    first, second = jax.random.split(key)
    return x * jax.random.uniform(first) + jax.random.uniform(second)


@jax.jit
def integrate_apart(xs, key):
    return jax.vmap(rotation_of_each)(jax.random.split(key, xs.shape[0]), xs)


found = integrate(jnp.ones(4), jax.random.key(0))
assert jnp.all(found == found[0])
apart = integrate_apart(jnp.ones(4), jax.random.key(0))
assert not jnp.all(apart == apart[0])
