# category: clean/python-branch-on-tracer
import importlib

import jax
import jax.numpy as jnp


def find(name, module="jax.nn"):
    return getattr(importlib.import_module(module), name)


class Rollout:
    def __init__(self, name):
        self.policy = find(name)
        self.dimensions = find("ndim", "jax.numpy")

    def score(self, observations):
        if self.dimensions(observations) > 1:
            observations = observations.ravel()
        actions = self.policy(observations)
        if actions.shape[0] > 8:
            actions = actions[:8]
        return jnp.where(actions.mean() > 0.5, 0.0, jnp.sum(actions * observations))


rollout = Rollout("sigmoid")
score = jax.jit(rollout.score)
print(score(jnp.ones(4)))
