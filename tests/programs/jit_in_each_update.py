# category: silent/jit-in-loop
"""An agent compiles its step, and what it measures, at each call; the loop is elsewhere."""

import jax
import jax.numpy as jnp

traced = []


class Agent:
    def __init__(self, rate):
        self.rate = rate

    def loss(self, weights, rows):
        traced.append("loss")
        return jnp.mean((rows @ weights) ** 2)

    def update(self, weights, rows):
        step = jax.jit(jax.grad(self.loss))  #! OAK307
        return weights - self.rate * step(weights, rows)

    def compute_loss(self, weights, rows):
        return jax.jit(lambda w: self.loss(w, rows))(weights)  #! OAK307


def run(steps, agents=None):
    agent = next(iter(agents or {Agent(0.1): None}))
    weights = jnp.ones(2)
    method = getattr(agent, "".join(["up", "date"]))
    measure = getattr(agent, "_".join(["compute", "loss"]))
    for _ in range(steps):
        weights = method(weights, jnp.eye(2))
        measure(weights, jnp.eye(2))
    return weights


run(3)
assert len(traced) == 6, traced
