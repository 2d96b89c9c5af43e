# category: python-branch-on-tracer
import importlib

import jax
import jax.numpy as jnp


def find_policy(name):
    return getattr(importlib.import_module("jax.nn"), name)


class Rollout:
    def __init__(self, name):
        self.policy = find_policy(name)

    def score(self, observations):
        actions = self.policy(observations)
        if actions.mean() > 0.5:  #! OAK201  #~ TracerBoolConversionError
            return jnp.zeros(())
        return jnp.sum(actions * observations)


rollout = Rollout("sigmoid")
score = jax.jit(rollout.score)
print(score(jnp.ones(4)))
