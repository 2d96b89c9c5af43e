# category: clean/jit-in-loop
"""What is compiled in a call is kept, works for long, or is what the call is there to make."""

import functools

import jax
import jax.numpy as jnp


def square(rows):
    return rows**2


class Policy:
    def __init__(self, scale):
        self.scale = scale

    def run(self, weights, observation):
        if not hasattr(self, "scores"):
            self.scores = jax.jit(lambda weights, rows: self.scale * rows @ weights)
        return self.scores(weights, observation)

    def descend(self, weights, rows, steps):
        step = jax.jit(jax.grad(lambda weights: jnp.sum((rows @ weights) ** 2)))
        for _ in range(steps):
            weights = weights - self.scale * step(weights)
        return weights

    def fit(self, weights, rows):
        return jax.jit(lambda weights: self.scale * rows @ weights)(weights)

    def init_weights(self, key):
        return jax.jit(lambda key: self.scale * jax.random.normal(key, (2,)))(key)


@functools.cache
def power(exponent):
    return jax.jit(lambda rows: rows**exponent)


def cube(rows):
    return power(3)(rows)


def squares(rows):
    return jax.jit(square)(rows)


def table(width):
    return jax.jit(lambda: jnp.ones((width, width)))()


policy = Policy(0.1)
print(policy.run(jnp.ones(2), jnp.eye(2)), cube(jnp.ones(2)), squares(jnp.ones(2)), table(2).shape)
