# category: clean/static-unhashable
from functools import partial

import jax
import jax.numpy as jnp


def solve(start, times):
    # The annotation of `_solve` says what its user gives, who gets here first.
    if not isinstance(times, tuple):
        times = jnp.asarray(times)
        times = tuple(times.tolist())
    return _solve(start, times, jnp.ones(3))


@partial(jax.jit, static_argnums=1)
def _solve(start: jax.Array, times: jax.Array, rates: jax.Array):
    return sum(start * time for time in times) + rates


print(solve(jnp.ones(3), jnp.arange(3.0)), solve(jnp.ones(3), (0.0, 1.0)))
