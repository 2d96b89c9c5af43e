# category: clean/key-reuse
"""Functions of a library that go on with the key that a loop hands back, with a part that was kept
for it, or with rows of several keys.
"""

import sys

import jax
import jax.numpy as jnp


def warm_up(position, key, steps=3):
    def body(carry, _):
        position, key = carry
        key, part = jax.random.split(key)
        return (position + jax.random.normal(part, position.shape), key), position

    (position, key), _ = jax.lax.scan(body, (position, key), None, length=steps)
    return position + jax.random.normal(key, position.shape)


def augment(batch, rng):
    stream, kept = jax.random.split(rng)
    for _ in range(2):
        stream, part = jax.random.split(stream)
        batch = batch + 0.1 * jax.random.normal(part, batch.shape)
    return batch * jax.random.bernoulli(kept, 0.5, batch.shape)


def rows(shape, keys: jax.random.PRNGKey):
    first, second = keys[0], keys[1]
    noise = jax.random.normal(first, shape)
    several = jax.vmap(lambda key: jax.random.normal(key, shape))(keys[2:])
    return noise + jax.random.normal(second, shape) + several.sum(0)


def maybe(shape, key, noisy):
    if key is None:
        return jnp.zeros(shape)
    if noisy:
        return jax.random.normal(key, shape)
    key, part = jax.random.split(key)
    return jax.random.uniform(part, shape) + jax.random.normal(key, shape)


class Table:
    def __init__(self):
        self.drawn = {}

    def lookup(self, key, shape):
        if str(key) not in self.drawn:
            self.drawn[str(key)] = jax.random.normal(jax.random.split(key)[0], shape)
        return self.drawn[str(key)]


def call(name, *arguments):
    return getattr(sys.modules[__name__], name)(*arguments)


one = jnp.ones((4, 2))
print(call("warm_up", one, jax.random.key(0)), call("augment", one, jax.random.key(1)))
print(call("rows", (2,), jax.random.split(jax.random.key(2), 4)))
print(call("maybe", (2,), jax.random.key(3), True))
print(call("Table").lookup(jax.random.key(4), (2,)))
