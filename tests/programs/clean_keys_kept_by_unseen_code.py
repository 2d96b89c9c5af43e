# category: clean/key-reuse
"""Code that is passed in gets a key each, or keeps, shows and counts keys."""

import jax
import jax.numpy as jnp


def build(first_update, second_update):
    def kernel(key, state):
        first_key, second_key = jax.random.split(key)
        state = first_update(first_key, state)
        return second_update(second_key, state)

    return kernel


class Log:
    def __init__(self, write):
        self.write = write
        self.seen = []

    def step(self, key, steps, train, heat):
        self.write(key)
        self.seen.append(key)
        if train:
            value = heat(key)
        else:
            value = jax.random.uniform(key)
        for step in range(steps):
            value = value + heat(jax.random.fold_in(key, step))
        return value


def rounds(key, play, count):
    total = 0.0
    for _ in range(count):
        key, part = jax.random.split(key)
        total = total + play(part)
    return total + play(key)


def drift(key, state):
    return state + jax.random.normal(key, state.shape)


print(build(drift, drift)(jax.random.key(0), jnp.zeros(2)).shape)
log = Log(print)
print(log.step(jax.random.key(1), 2, True, jax.random.normal))
print(rounds(jax.random.key(2), jax.random.normal, 3))
