# category: clean/traced-static-argument
import functools

import jax
import jax.numpy as jnp


def checked(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs)

    return wrapper


@checked
def simulate(state, steps, verbose):
    if verbose:
        state = state + 0.0
    for _ in range(steps):
        state = state * 0.5
    return state


run = jax.jit(simulate, static_argnames=("steps", "verbose"))
print(run(jnp.ones(2), 3, True))
