# category: silent/static-mutated
"""Numbers that a loop of unknown length computes anew, next to a state that it threads through."""

import itertools
import os

import jax
import jax.numpy as jnp
import optax

temperature = 1.0


class Learner:
    def __init__(self, rate):
        self.optimizer = optax.adam(rate)
        self.coefficient = 1.0
        self.step = jax.jit(self._step)

    def _step(self, w, state, x):
        gradient = jax.grad(lambda w: jnp.sum((x @ w) ** 2) * self.coefficient)(w)
        updates, state = self.optimizer.update(gradient, state)
        return optax.apply_updates(w, updates), state

    def fit(self, w, batches, rounds):
        state = self.optimizer.init(w)
        for _ in range(rounds):
            for x in batches():
                w, state = self.step(w, state, x)
            self.coefficient *= 0.0  #! OAK114
        return w


@jax.jit
def scaled(x):
    return jnp.mean(x / temperature)  #! OAK113


def annealed(batches):
    global temperature
    found = []
    for x in batches():
        found.append(float(scaled(x)))
        temperature = temperature * 0.5
    return found


def moved(rounds):
    data = jnp.ones((3, 4))

    @jax.jit
    def shift(x):
        return x + data  #! OAK113

    @jax.jit
    def draw(key):
        return jax.random.normal(key, data.shape)

    for number in range(rounds):
        noise = draw(jax.random.key(number))
        found = shift(jnp.zeros(data.shape))
        data = data.at[0].set(noise[0])
    return found


def batches():
    return itertools.repeat(jnp.ones((2, 3)), len(os.sep) + 2)


class Constrained:
    def __init__(self):
        self.multiplier = 1.0

    def fit(self, collect, rounds):
        @jax.jit
        def update(w, batch):
            return w - self.multiplier * jnp.mean(batch["x"], 0)

        w = jnp.ones(3)
        for _ in range(rounds):
            batch = collect(w)
            w = update(w, batch)
            if float(w.sum()) < 100.0:
                self.multiplier *= 0.0  #! OAK114
        return w


def collect(w):
    return {"x": jnp.stack([w, w])}


assert (Constrained().fit(collect, len(os.sep) + 2) == 0.0).all()
w = Learner(0.1).fit(jnp.ones(3), batches, len(os.sep) + 2)
assert (w < 0.5).all()
assert (moved(3) == 1.0).all()
assert len(set(annealed(batches))) == 1
