# category: silent/jit-in-loop
"""A function that jits a new one for the parameters of each round."""

import jax
import jax.numpy as jnp

traced = []


def batches(count):
    for number in range(count):
        yield jnp.ones((4, 3)) * number


def make_evaluation(params):
    def evaluate(x):
        traced.append("evaluate")
        return jnp.mean(jnp.tanh(x @ params))

    return jax.jit(evaluate)  #! OAK307


params = jnp.ones((3, 2))
metrics = []
for x in batches(6):
    params = params * 0.9
    metrics.append(float(make_evaluation(params)(x)))
assert len(traced) == 6
