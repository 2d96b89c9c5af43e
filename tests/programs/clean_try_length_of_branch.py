# category: clean/scalar-cast-of-tracer
"""A solver trims its buffers where it knows how far it came, and masks them under `vmap`."""

from typing import NamedTuple

import jax
import jax.numpy as jnp


class Path(NamedTuple):
    points: jax.Array
    reached: jax.Array


def walk(start):
    points = start + jnp.arange(4.0)
    return Path(points, jnp.sum(points < 3.0))


def follow(start):
    path = walk(start)
    try:
        count = int(path.reached)
    except jax.errors.ConcretizationTypeError:
        return jnp.where(jnp.arange(4) < path.reached, path.points, jnp.nan)
    return [{"step": i, "at": float(path.points[i])} for i in range(count)]


print(follow(jnp.float32(1.0)))
print(jax.vmap(follow)(jnp.arange(2.0)))
