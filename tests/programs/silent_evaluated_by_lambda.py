# category: silent/jit-in-loop
"""A policy is evaluated after each epoch: what acts is a static argument, made for each call."""

from functools import partial

import jax
import jax.numpy as jnp

traced = []


@partial(jax.jit, static_argnums=(1,))
def evaluate(seeds, act):
    traced.append("evaluate")
    return jax.vmap(act)(seeds).mean()


@partial(jax.jit, static_argnames="act")
def evaluate_weights(seeds, weights, act):
    traced.append("evaluate_weights")
    return act(weights, seeds).mean()


def act(weights, seeds):
    return weights.sum() * seeds


def train(weights, epochs):
    for _ in range(epochs):
        weights = weights * 0.9
        print(evaluate(jnp.arange(3.0), lambda seed: 2.0 * seed))  #! OAK308
    return weights


def train_once(weights, epochs):
    greedy = lambda weights, seeds: jnp.maximum(act(weights, seeds), 0.0)  # noqa: E731
    for _ in range(epochs):
        weights = weights * 0.9
        print(evaluate_weights(jnp.arange(3.0), weights, act=act))
        print(evaluate_weights(jnp.arange(3.0), weights, greedy))
    return weights


train(jnp.ones(2), 6)
assert traced.count("evaluate") == 6
train_once(jnp.ones(2), 6)
assert traced.count("evaluate_weights") == 2
