# category: silent/jit-in-loop
"""A policy and a function of a library compile what they hand on, at each call of their users."""

from queue import SimpleQueue

import jax
import jax.numpy as jnp

traced = SimpleQueue()


class Policy:
    def __init__(self, scale):
        self.scale = scale

    def run(self, weights, observation):
        @jax.jit  #! OAK307
        def scores(weights, observation):
            traced.put("run")
            return self.scale * observation @ weights

        return scores(weights, observation)

    def get_action(self, observation):
        @jax.jit  #! OAK307
        def act(observation):
            traced.put("get_action")
            return jnp.argmax(self.scale * observation)

        return act(observation)


def gram(kernel, rows):
    def entry(one, other):
        traced.put("gram")
        return kernel(one - other)

    pairs = jax.jit(jax.vmap(jax.vmap(entry, (None, 0)), (0, None)))  #! OAK307
    return pairs(rows, rows)


def called(name, *arguments):
    function = globals()[name] if name in globals() else getattr(Policy(2.0), name)
    return function(*arguments)


for _ in range(3):
    called("run", jnp.ones(2), jnp.eye(2))
    called("get_action", jnp.ones(2))
    called("gram", jnp.sum, jnp.eye(2))
assert traced.qsize() == 9
