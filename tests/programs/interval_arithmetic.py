# category: bool-op-on-tracer
from functools import reduce

import jax
import jax.numpy as jnp


def hull(a, b):
    return min(a[0], b[0]), max(a[1], b[1])  #! OAK203  #~ TracerBoolConversionError


def bounds(intervals):
    return reduce(hull, intervals)


@jax.jit
def spread(lows, highs):
    pairs = list(zip(jnp.split(lows, 3), jnp.split(highs, 3)))
    low, high = bounds(pairs)
    return high - low


print(spread(jnp.array([0.0, -1.0, 2.0]), jnp.array([1.0, 1.0, 5.0])))
