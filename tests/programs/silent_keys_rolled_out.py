# category: silent/key-reuse
"""A step that a scan repeats draws by the key of its state and hands the state back; a loop within
it has a name for that state, too.
"""

import sys

import jax
import jax.numpy as jnp
from flax import struct


@struct.dataclass
class RunnerState:
    rng: jax.Array
    weights: jax.Array


def episode(runner_state, _):
    rng, reset = jax.random.split(runner_state.rng)  #! OAK401
    start = (jax.random.normal(reset, (2,)), rng, runner_state)

    def more(state):
        observation, _, _ = state
        return jnp.sum(observation) < 10.0

    def step(state):
        observation, rng, runner_state = state
        rng, part = jax.random.split(rng)
        noise = jax.random.uniform(part, (2,))
        return observation + runner_state.weights + noise, rng, runner_state

    observation, _, _ = jax.lax.while_loop(more, step, start)
    return runner_state, observation


def call(name, *arguments):
    return getattr(sys.modules[__name__], name)(*arguments)


state = call("RunnerState", jax.random.key(0), jnp.ones(2))
_, seen = jax.lax.scan(getattr(sys.modules[__name__], "episode"), state, None, 3)
assert (seen[0] == seen[1]).all()
