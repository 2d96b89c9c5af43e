# category: clean/outer-change
"""Attributes of functions: counted by the host, counting traces, set but once, or of a function
that the trace itself has made.
"""

import jax
import jax.numpy as jnp


@jax.jit
def advance(state):
    advance.traces += 1  #? OAK112
    return state * 0.9


advance.traces = 0


def run(state):
    run.calls += 1
    return advance(state)


run.calls = 0


@jax.jit
def smooth(state):
    smooth.width = 3

    def average(values):
        average.uses += 1
        return (values + jnp.roll(values, 1)) / average.uses

    average.uses = 1
    return average(average(state))


state = jnp.ones(4)
for _ in range(3):
    state = smooth(run(state))
print(run.calls, advance.traces, smooth.width)
assert (run.calls, advance.traces) == (3, 1)
