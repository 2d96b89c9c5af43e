# category: python-branch-on-tracer
import functools

import jax
import jax.numpy as jnp


def compiled(**options):
    def wrap(function):
        return functools.wraps(function)(jax.jit(function, **options))

    return wrap


@compiled(static_argnames=("mode",))
def reduced(losses, weight, mode="mean"):
    total = losses.sum() if mode == "sum" else losses.mean()
    if weight:  #! OAK201  #~ TracerBoolConversionError
        total = total * weight
    return total


print(reduced(jnp.ones(3), 2.0, mode="sum"))
