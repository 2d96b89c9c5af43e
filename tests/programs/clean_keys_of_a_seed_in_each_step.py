# category: clean/key-reuse
"""Steps that get their keys, make one of a counter, or of a seed where nobody passes one."""

import jax
import jax.numpy as jnp


class EulerMaruyama:
    def __init__(self, drift, sigma):
        self.drift = drift
        self.sigma = sigma

    def attempt_step(self, x, dt, key):
        shock = jax.random.normal(key, x.shape)
        return x + self.drift(x) * dt + self.sigma * jnp.sqrt(dt) * shock

    def initial_state(self, size):
        return jax.random.normal(jax.random.key(0), (size,))


class RandomAgent:
    def __init__(self, actions):
        self.actions = actions

    def act(self, count, key=None):
        if key is None:
            key = jax.random.key(0)
        return jax.random.randint(jax.random.fold_in(key, count), (), 0, self.actions)


def counted_step(x, count):
    key = jax.random.fold_in(jax.random.key(3), count)
    return x + jax.random.normal(key, x.shape)


solver = EulerMaruyama(jnp.zeros_like, 1.0)
x = solver.initial_state(2)
for number, key in enumerate(jax.random.split(jax.random.key(1), 4)):
    x = counted_step(solver.attempt_step(x, 0.01, key), number)
agent = RandomAgent(1000)
assert len({int(agent.act(count)) for count in range(5)}) > 1
