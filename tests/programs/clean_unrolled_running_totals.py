# category: clean/unrolled-loop
"""Long running totals of Python's own numbers, short ones of tracers, and those outside a trace."""

import collections
import functools
import itertools
import operator

import jax
import jax.numpy as jnp

STEPS = range(160)
WINDOW = collections.deque(STEPS, maxlen=4)


@jax.jit
def scaled(x):
    total = functools.reduce(operator.add, STEPS)
    last = list(itertools.accumulate(STEPS, max))[-1]
    weights = [1.0 / (n + 1) for n in STEPS]
    return x * sum(weights) * total / last


@jax.jit
def short(x):
    for n in WINDOW:
        x = x + jnp.sin(x * n)
    for n, factor in zip(STEPS, (0.5, 0.25), strict=False):
        x = x + factor * jnp.cos(x * n)
    x = functools.reduce(lambda a, n: a + jnp.sin(a * n), STEPS[:3], x)
    return sum(itertools.accumulate([x, x, x], initial=0.0))


@jax.jit
def step(x, n):
    return x + jnp.sin(x) / (n + 1)


def wave(n):
    return jnp.sin(0.1 * n)


x = functools.reduce(step, STEPS, jnp.ones(3))
*_, y = itertools.accumulate(STEPS, step, initial=x)
totals = jnp.stack(list(map(wave, STEPS)))
print(scaled(x), short(y), sum(totals))
