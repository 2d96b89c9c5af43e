# category: clean/python-branch-on-tracer
import copy
from collections import namedtuple

import jax
import jax.numpy as jnp
from jax import lax

Batch = namedtuple("Batch", ["inputs", "training"])


class Rate:
    def __init__(self, value):
        self.value = value


@jax.jit
def scheduled(x, step):
    schedules = {"warm": lambda s: s * 0.1, "flat": 0.5}
    for name, schedule in schedules.items():
        # Which of the two it is, Python knows.
        rate = schedule(step) if callable(schedule) else schedule
        if name.endswith("at") and rate > 0.1:
            x = x * rate
    return x


@jax.jit
def halved(x):
    first = Rate(x)
    second = copy.copy(first)
    second.value = 2
    if second.value > 1 and first.value.ndim:
        return first.value[slice(1)] / second.value
    return x


def applied(batch):
    if batch.training and pow(2, 3) > 7:
        return batch.inputs.at[0].apply(jnp.sin)
    return batch.inputs


@jax.jit
def largest(x):
    def larger(a, b):
        return lax.max(a, b)

    return lax.reduce(x, -jnp.inf, larger, (0,)), jax.vmap(lambda v, *, scale: v * scale)(x, scale=x)


print(scheduled(jnp.ones(3), 1.0), halved(jnp.ones(3)), largest(jnp.ones(3)))
print(jax.jit(lambda x: applied(Batch(x, True)))(jnp.ones(3)))
