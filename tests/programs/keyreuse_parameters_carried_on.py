# category: silent/key-reuse
"""Functions of a library that draw by the key which they were passed, after a loop, a tuple or
another name has used it up.
"""

import sys

import jax
import jax.numpy as jnp


def burn_in_and_perturb(position, key, steps=3):
    def body(carry, _):
        position, key = carry
        key, part = jax.random.split(key)
        return (position + jax.random.normal(part, position.shape), key), position

    (position, _last), _ = jax.lax.scan(body, (position, key), None, length=steps)
    return position + jax.random.normal(key, position.shape)  #! OAK401


def corrupt(batch, rng):
    stream = rng
    for _ in range(2):
        stream, part = jax.random.split(stream)
        batch = batch + 0.1 * jax.random.normal(part, batch.shape)
    mask = jax.random.bernoulli(rng, 0.5, batch.shape)  #! OAK401
    _, shuffled = jax.random.split(stream)
    return jax.random.permutation(shuffled, batch * mask)


def pair(shape, seed_key):
    left, right = jax.random.split(seed_key)
    state = {"noise": jax.random.normal(left, shape), "key": seed_key}
    return state["noise"] + jax.random.normal(state["key"], shape), right  #! OAK401


def call(name, *arguments):
    return getattr(sys.modules[__name__], name)(*arguments)


one = jnp.ones((4, 2))
print(call("burn_in_and_perturb", one, jax.random.key(0)), call("corrupt", one, jax.random.key(1)))
print(call("pair", (2,), jax.random.key(2))[0])
