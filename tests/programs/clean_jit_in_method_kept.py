# category: clean/jit-in-loop
"""Agents that compile once: where they are made, at the first call, and for a whole run."""

import jax
import jax.numpy as jnp

traced = []


class Agent:
    def __init__(self, rate):
        self.rate = rate
        self.compiled = jax.jit(self.loss)
        self.kept = None

    def loss(self, weights):
        traced.append("loss")
        return jnp.sum(weights**2)

    def step(self, weights):
        return self.compiled(weights)

    def update(self, weights):
        if self.kept is None:
            self.kept = jax.jit(jax.grad(self.loss))
        return weights - self.rate * self.kept(weights)

    def fit(self, weights, steps):
        step = jax.jit(jax.grad(self.loss))
        for _ in range(steps):
            weights = weights - self.rate * step(weights)
        return weights

    def sample(self, weights, steps):
        step = jax.jit(lambda weights: weights - self.rate * self.loss(weights))
        for _ in range(steps):
            weights = step(weights)
        return weights


agent = Agent(0.1)
weights = jnp.ones(2)
for _ in range(3):
    weights = agent.update(weights) + agent.step(weights)
print(agent.fit(weights, 2), agent.sample(weights, 2))
assert len(traced) == 4, traced
