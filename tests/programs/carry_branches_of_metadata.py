# category: carry-mismatch
"""A filter counts in its metadata; the parts of a pytree that are static are its structure."""

import dataclasses
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.tree_util.register_dataclass, data_fields=["mean"], meta_fields=["rounds", "name"])
@dataclasses.dataclass(frozen=True)
class Filter:
    mean: jax.Array
    rounds: int
    name: str = "ema"

    def update(self, x):
        return dataclasses.replace(self, mean=0.9 * self.mean + 0.1 * x)


def smooth(xs, start):
    last, _ = jax.lax.scan(lambda held, x: (held.update(x), None), start, xs)
    return last.mean


def stop(xs, start):
    return jax.lax.cond(  #! OAK504 #~ TypeError
        xs.sum() > 0,
        lambda mean: Filter(mean, 1),
        lambda mean: Filter(mean, 2),
        start.mean,
    )


begin = Filter(jnp.zeros(()), 0)
print(jax.jit(smooth)(jnp.ones(5), begin))
print(jax.jit(stop)(jnp.ones(5), begin))
