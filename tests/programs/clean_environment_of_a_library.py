# category: clean/branch-on-tracer
"""Environments: one that algorithms compile, one that keeps its state, and one of NumPy."""

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np


class MazeState(NamedTuple):
    position: jax.Array
    lives: jax.Array


class Maze:
    def __init__(self, size=5, wraps=False):
        self.size, self.wraps = size, wraps

    def reset(self, key, params=None):
        if params is None:
            params = {"lives": 3}
        start = jax.random.randint(key, (2,), 0, self.size)
        return MazeState(start, jnp.int32(params["lives"]))

    def step(self, state, action):
        position = state.position + jnp.array([[0, 1], [1, 0]])[action]
        if self.wraps:
            position = position % self.size
        else:
            position = jnp.clip(position, 0, self.size - 1)
        lives = jnp.where(jnp.all(position == 2), state.lives - 1, state.lives)
        return MazeState(position, lives), lives == 0


class CounterState(NamedTuple):
    count: jax.Array
    total: jax.Array
    best: jax.Array


class Counter:
    def reset(self, key):
        return CounterState(0, jnp.zeros(2), best=jnp.float32(0))

    def step(self, state, action):
        total = state.total + jax.nn.one_hot(action, 2)
        best = jnp.where(total[0] > state.best, total[0], state.best)
        return CounterState(state.count + 1, total, best), state.count > 3


class Held:
    def reset(self, seed):
        self.state = Maze().reset(jax.random.key(seed))
        return self.state

    def step(self, action):
        self.state, done = Maze().step(self.state, action)
        if done:
            self.state = self.reset(0)
        return jnp.where(done, 1.0, 0.0)


class Table:
    def reset(self, rng):
        return np.zeros(2)

    def step(self, state, action):
        if state[0] > 3:
            return np.zeros(2)
        return state + action


for environment in (Held(), Table()):
    print(environment.reset(0))
print(Counter().step(Counter().reset(None), 1), Held().reset(0), Table().step(Table().reset(0), 1.0), Maze(wraps=True).size)
