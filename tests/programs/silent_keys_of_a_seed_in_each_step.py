# category: silent/key-reuse
"""Solvers and agents whose step makes a key of a seed that it names."""

import jax
import jax.numpy as jnp


class EulerMaruyama:
    def __init__(self, drift, sigma):
        self.drift = drift
        self.sigma = sigma

    def attempt_step(self, x, dt):
        shock = jax.random.normal(jax.random.PRNGKey(1), x.shape)  #! OAK401
        return x + self.drift(x) * dt + self.sigma * jnp.sqrt(dt) * shock


class RandomAgent:
    def __init__(self, actions):
        self.actions = actions

    def act(self, observation):
        key = jax.random.key(7)
        left, right = jax.random.split(key)  #! OAK401
        jitter = jax.random.uniform(right, observation.shape)
        return jax.random.randint(left, (), 0, self.actions), observation + jitter


def path(solver, x, count):
    found = [x]
    for _ in range(count):
        found.append(solver.attempt_step(found[-1], 0.01))
    return jnp.stack(found)


moved = jnp.diff(path(EulerMaruyama(jnp.zeros_like, 1.0), jnp.zeros(2), 4), axis=0)
assert jnp.allclose(moved, moved[0])
agent = RandomAgent(10)
assert len({int(agent.act(jnp.zeros(3))[0]) for _ in range(5)}) == 1
