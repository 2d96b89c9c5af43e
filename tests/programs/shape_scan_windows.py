# category: shape-mismatch
"""A filter that is scanned over windows of one size and gets a state of another."""

from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import lax


class Filter(NamedTuple):
    gain: jax.Array
    memory: jax.Array


def windows(signal, size):
    count = signal.shape[0] // size
    return signal[: count * size].reshape(count, size)


def advance(state, window):
    memory = 0.9 * state.memory + state.gain * window  #! OAK501 #~ TypeError
    return state._replace(memory=memory), jnp.max(memory)


@partial(jax.jit, static_argnames="size")
def run(signal, size):
    state = Filter(jnp.float32(0.1), jnp.zeros(8))
    return lax.scan(advance, state, windows(signal, size))[1]


run(jnp.linspace(0.0, 1.0, 64), size=6)
