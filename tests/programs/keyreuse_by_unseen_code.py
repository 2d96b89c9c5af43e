# category: silent/key-reuse
"""Samplers that hand one key to two pieces of code that are passed in."""

import jax
import jax.numpy as jnp


def build(first_update, second_update, estimate):
    @jax.jit
    def kernel(key, state):
        update_key, gradient_key = jax.random.split(key)
        state = first_update(update_key, state)
        state = state - 0.1 * estimate(gradient_key, state)
        return second_update(update_key, state)  #! OAK401

    return kernel


def evaluate(key, count, program):
    keys = jax.random.split(key, count)
    return program(key), keys  #! OAK401


class Agent:
    def __init__(self, environment):
        self.environment = environment

    def play(self, key):
        state = self.environment.reset(key)
        noise = jax.random.normal(key, state.shape)  #! OAK401
        return state + noise


class Room:
    def reset(self, key):
        return jax.random.uniform(key, (2,))


def drift(key, state):
    return state + jax.random.normal(key, state.shape)


kernel = build(drift, drift, drift)
rooms = {"room": Room()}
print(Agent(rooms["room"]).play(jax.random.key(2)).shape)
