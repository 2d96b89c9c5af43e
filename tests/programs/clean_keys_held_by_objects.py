# category: clean/key-reuse
"""Steps of a library that put a new key in the place of the one that they have used."""

import sys
from types import SimpleNamespace

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
        self.fixed = jax.random.key(seed + 1)

    def act(self, observation):
        self.rng, part = jax.random.split(self.rng)
        return jax.random.normal(part, observation.shape)

    def sample_goal(self, step):
        return jax.random.uniform(jax.random.fold_in(self.fixed, step))

    def reset(self):
        return jax.random.normal(self.fixed)


def replaced(state, action):
    key, part = jax.random.split(state.key)
    return state.replace(key=key, position=state.position + jax.random.normal(part, (2,)))


def rebound(state, action):
    key, part = jax.random.split(state.key)
    state = state.replace(key=key)
    return state, action + jax.random.normal(part, (2,))


def ended(state, done):
    if done:
        return state
    key, part = jax.random.split(state.key)
    return state.replace(key=key, position=jax.random.normal(part, (2,)))


def rounds(state, count):
    total = jnp.zeros(2)
    for _ in range(count):
        total = total + jax.random.normal(state.key, (2,))
        state = replaced(state, 0.0)
    return total


def advanced(agent, shape):
    first = jax.random.normal(agent.rng, shape)
    agent.act(first)
    return first + jax.random.uniform(agent.rng, shape)


def several(one, other):
    return jax.random.normal(one.key) + jax.random.normal(other.key)


def either(state, flag):
    if flag:
        return jax.random.normal(state.key)
    return jax.random.uniform(state.key)


def twice_in_items(info):
    info["key"], part = jax.random.split(info["key"])
    first = jax.random.normal(part, (2,))
    info["key"], part = jax.random.split(info["key"])
    return first + jax.random.normal(part, (2,))


def rounds_in_items(info, name, count):
    total = jnp.zeros(2)
    for _ in range(count):
        info["key"], part = jax.random.split(info["key"])
        total = total + jax.random.normal(part, (2,))
        info[name] = jax.random.fold_in(info["key"], 1)
    return total


def epochs(options, info, count):
    def epoch(total):
        for _ in range(count):
            options.key, part = jax.random.split(options.key)
            info["key"], other = jax.random.split(info["key"])
            total = total + jax.random.normal(part, (2,)) + jax.random.normal(other, (2,))
        return total

    return epoch(epoch(jnp.zeros(2)))


@jax.jit
def traced_items(info):
    info["key"], part = jax.random.split(info["key"])
    first = jax.random.normal(part, (2,))
    info["key"], part = jax.random.split(info["key"])
    return first + jax.random.normal(part, (2,))


def call(name, *arguments):
    return getattr(sys.modules[__name__], name)(*arguments)


start = call("State", jax.random.key(0), jnp.zeros(2))
agent = call("Agent", 1)
print(agent.act(start.position), agent.sample_goal(3), agent.reset())
print(call("replaced", start, 1.0), call("rebound", start, 1.0), call("ended", start, False))
print(call("rounds", start, 2), call("advanced", agent, (2,)), call("several", start, start))
print(call("either", start, True))
info = {"key": jax.random.key(4)}
options = SimpleNamespace(key=jax.random.key(5))
print(call("epochs", options, info, 2))
print(call("twice_in_items", info), call("rounds_in_items", info, "key", 2), traced_items(info))
