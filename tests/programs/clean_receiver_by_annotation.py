# category: clean/python-branch-on-tracer
import pickle

import jax
import jax.numpy as jnp


class Schedule:
    def __init__(self, base):
        self.base = base

    def rate(self, step, halved):
        rate = jnp.where(step < 3, self.base, self.base / 2)
        if halved:
            return rate / 2
        return rate


class Descent:
    schedule: Schedule

    def __init__(self, schedule):
        self.schedule = schedule
        self.update = jax.jit(self._update)

    def _update(self, weights, gradient, step):
        count = self.count(weights)
        if count > 2:
            return weights - self.schedule.rate(step, count > 3) * gradient
        return weights

    def count(self, weights):
        return weights.size


def train(descent: Descent, weights):
    for step in range(4):
        weights = descent.update(weights, 2 * weights, step)
    return weights


stored = pickle.dumps(Schedule(0.1))
print(train(Descent(pickle.loads(stored)), jnp.ones(3)))
