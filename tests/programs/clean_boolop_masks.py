# category: clean/bool-op-on-tracer
import operator
from functools import reduce

import jax
import jax.numpy as jnp

MODES = ("reflect", "wrap")


def box_mask(points, lows, highs):
    inside = [(points[:, i] >= lo) & (points[:, i] <= hi) for i, (lo, hi) in enumerate(zip(lows, highs))]
    return reduce(operator.and_, inside)


@jax.jit
def count_inside(points, lows=(0.0, 0.0), highs=(1.0, 1.0), weights=None):
    mask = box_mask(points, lows, highs)
    weights = weights if weights is not None else jnp.ones(len(points))
    ok = jnp.logical_and(mask.any(), jnp.logical_not(jnp.isnan(points).any()))
    return jnp.where(ok, (mask * weights).sum(), -1.0)


def run(mode="wrap", extra=()):
    if mode in MODES and not extra or len(extra) > 3:
        return count_inside(jnp.array([[0.5, 0.5], [2.0, 0.1]]))
    return None


print(run())
