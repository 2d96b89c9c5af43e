# category: silent/key-reuse
"""Steps of a library, which draw by the key of the state or of the agent that they get."""

import sys

import jax
import jax.numpy as jnp
from flax import struct


@struct.dataclass
class State:
    key: jax.Array
    position: jax.Array


class Agent:
    def __init__(self, seed):
        self.rng = jax.random.key(seed)

    def act(self, observation):
        return jax.random.normal(self.rng, observation.shape)  #! OAK401

    def sample_goal(self, observation):
        _, part = jax.random.split(self.rng)  #! OAK401
        return jax.random.uniform(part, observation.shape)


def forgetful(state, action):
    _, part = jax.random.split(state.key)  #! OAK401
    position = state.position + action + jax.random.normal(part, (2,))
    return state.replace(position=position), position


def unchanged(state, action):
    return state, action + jax.random.normal(state.key, (2,))  #! OAK401


def moved(state, action):
    noise = jax.random.normal(state.key, (2,))  #! OAK401
    following = state.replace(position=state.position + noise)
    return following, action


def both(batch):
    first = jax.random.normal(batch["key"])
    return first + jax.random.uniform(batch["key"])  #! OAK401


def beside(batch):
    first = jax.random.normal(batch["key"])
    batch["mean"] = first
    return first + jax.random.uniform(batch["key"])  #! OAK401


def rounds(state, count):
    total = jnp.zeros(2)
    for _ in range(count):
        total = total + jax.random.normal(state.key, (2,))  #! OAK401
    return total


def epochs(options, count):
    def epoch(total):
        for _ in range(count):
            _, part = jax.random.split(options.key)  #! OAK401
            total = total + jax.random.normal(part, (2,))
        return total

    return epoch(jnp.zeros(2))


def call(name, *arguments):
    return getattr(sys.modules[__name__], name)(*arguments)


start = call("State", jax.random.key(0), jnp.zeros(2))
agent = call("Agent", 1)
print(agent.act(start.position), agent.sample_goal(start.position))
for step in ("forgetful", "unchanged", "moved"):
    print(call(step, start, jnp.ones(2))[1])
batch = {"key": jax.random.key(3)}
print(call("both", batch), call("beside", batch), call("rounds", start, 2))
print(call("epochs", start, 2))
