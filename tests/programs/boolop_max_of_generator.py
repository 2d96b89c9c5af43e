# category: bool-op-on-tracer
"""The steepest of some slopes, taken from a generator as they come."""

import jax
import jax.numpy as jnp


def steepest(points):
    rises = zip(points, points[1:], strict=False)
    return max(abs(b - a) for a, b in rises)


def last(points):
    only = (point for point in points[-1:])
    return max(only)


@jax.jit
def step(points):
    top = max(abs(point) for point in points)  #! OAK203 #~ TracerBoolConversionError
    return last(points) / top


print(last(jnp.ones(3)), steepest([1.0, 3.0, 2.0]))
print(step([jnp.float32(1.0), 0.5, 2.0]))
