# category: clean/missing-block-until-ready
# Times from call to call add up to the whole, whoever waits between two calls.

import time

import jax
import jax.numpy as jnp


@jax.jit
def update(weights):
    return weights - 0.1 * weights


class Learner:
    def __init__(self):
        self.weights = jnp.ones((64, 64))
        self.timestamp = None

    def step(self):
        self.weights = update(self.weights)
        timestamp = time.time()
        elapsed = timestamp - self.timestamp if self.timestamp else 0.0
        self.timestamp = timestamp
        return elapsed


learner = Learner()
times = [learner.step() for _ in range(3)]
jax.block_until_ready(learner.weights)
print(len(times))
