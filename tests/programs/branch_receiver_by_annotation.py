# category: python-branch-on-tracer
import pickle

import jax
import jax.numpy as jnp


class Schedule:
    def __init__(self, base):
        self.base = base

    def rate(self, step):
        if step < 3:  #! OAK201 #~ TracerBoolConversionError
            return self.base
        return self.base / 2


class Descent:
    schedule: Schedule

    def __init__(self, schedule):
        self.schedule = schedule
        self.update = jax.jit(self._update)

    def _update(self, weights, gradient, step):
        return weights - self.schedule.rate(step) * gradient


def train(descent: Descent, weights):
    for step in range(4):
        weights = descent.update(weights, 2 * weights, step)
    return weights


stored = pickle.dumps(Schedule(0.1))
print(train(Descent(pickle.loads(stored)), jnp.ones(3)))
