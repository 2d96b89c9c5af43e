# category: clean/static-mutated
"""Numbers that a loop computes again and a compiled function gets, or does not read."""

import io
import itertools
import os

import jax
import jax.numpy as jnp
import numpy as np
import optax


class Learner:
    def __init__(self, rate):
        self.optimizer = optax.adam(rate)
        self.coefficient = 1.0
        self.rounds = 0
        self.step = jax.jit(self._step)

    def _step(self, w, state, x, coefficient):
        gradient = jax.grad(lambda w: jnp.sum((x @ w) ** 2) * coefficient)(w)
        updates, state = self.optimizer.update(gradient, state)
        return optax.apply_updates(w, updates), state

    def fit(self, w, batches, rounds):
        state = self.optimizer.init(w)
        for _ in range(rounds):
            for x in batches():
                w, state = self.step(w, state, x, self.coefficient)
                self.rounds += 1
            self.coefficient *= 0.5
        return w


scale = 1.0


@jax.jit
def scaled(x):
    return x * scale


@jax.jit
def raised(x):
    return x**scale


def cleared(rounds):
    global scale
    for _ in range(rounds):
        jax.clear_caches()
        found = scaled(jnp.ones(1))
        raised.clear_cache()
        found += raised(jnp.full(1, 2.0))
        scale = scale * 2
    return found


sizes = {"x": 0}


@jax.jit
def padded(x):
    return jnp.sum(x) / sizes["x"]


def by_size(sizes_of_batches):
    for size in sizes_of_batches:
        sizes["x"] = size
        print(padded(jnp.ones(size)))


def redrawn(rounds):
    data = jnp.ones((3, 4))

    @jax.jit
    def draw(key):
        return jax.random.normal(key, data.shape, data.dtype)

    key = jax.random.key(0)
    for _ in range(rounds):
        key, subkey = jax.random.split(key)
        data = data.at[0].set(draw(subkey)[0])
    return data


def refilled(data, rounds):
    data = jnp.asarray(data)

    @jax.jit
    def draw(key):
        return jax.random.normal(key, data.shape, data.dtype)

    for number in range(rounds):
        data = data.at[0].set(draw(jax.random.key(number))[0])
    return data


def batches():
    return itertools.repeat(jnp.ones((2, 3)), len(os.sep) + 2)


learner = Learner(0.1)
learner.fit(jnp.ones(3), batches, len(os.sep) + 2)
assert cleared(len(os.sep) + 2) == 20.0
assert learner.rounds == (len(os.sep) + 2) ** 2
table = io.BytesIO()
np.save(table, np.ones((3, 4), np.float32))
table.seek(0)
assert redrawn(3).shape == refilled(np.load(table), 3).shape == (3, 4)
by_size(range(1, len(os.sep) + 3))
