# category: python-branch-on-tracer
from typing import NamedTuple

import jax
import jax.numpy as jnp


class State(NamedTuple):
    position: jax.Array
    fuel: jax.Array
    done: jax.Array


MOVES = jnp.array([[0, 1], [1, 0], [0, -1], [-1, 0]])


def reset(key):
    return State(jax.random.randint(key, (2,), 0, 5), jnp.asarray(10), jnp.asarray(False))


def step(state, action):
    if state.done:  #! OAK201  #~ TracerBoolConversionError
        return state, 0.0
    position = jnp.clip(state.position + MOVES[action], 0, 4)
    fuel = state.fuel - 1
    reached = (position == 4).all()
    return State(position, fuel, reached | (fuel == 0)), reached.astype(jnp.float32)


def rollout(key, horizon=6):
    init_key, action_key = jax.random.split(key)
    actions = jax.random.randint(action_key, (horizon,), 0, 4)
    return jax.lax.scan(step, reset(init_key), actions)


final, rewards = rollout(jax.random.key(3))
print(rewards)
