# category: clean/bool-op-on-tracer
import functools
import operator

import jax
import jax.numpy as jnp


def in_box(point, low, high):
    checks = [low[i] <= point[i] for i in range(2)] + [point[i] < high[i] for i in range(2)]
    return functools.reduce(operator.and_, checks)


def count(points, low, high):
    inside = jax.vmap(in_box, (0, None, None))(points, low, high)
    return jnp.where(~inside.any() | inside.all(), -1, inside.sum())


print(jax.jit(count)(jnp.ones((3, 2)), jnp.zeros(2), jnp.full(2, 2.0)))
