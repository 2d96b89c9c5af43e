# category: clean/leak-closure
from typing import NamedTuple

import jax
import jax.numpy as jnp


class Stats(NamedTuple):
    peak: jax.Array
    count: jax.Array


def simulate(xs, dt=0.1):
    """The running peak travels in the carry, not in a nonlocal."""
    damping = 0.9

    def step(carry, x):
        state, stats = carry
        nonlocal_like = state * damping + dt * x
        stats = stats._replace(peak=jnp.maximum(stats.peak, nonlocal_like), count=stats.count + 1)
        return (nonlocal_like, stats), nonlocal_like

    (final, stats), path = jax.lax.scan(step, (0.0, Stats(-jnp.inf, 0)), xs)
    return final, stats, path


def callbacks():
    listeners = []

    def on(fn=None, *, weight=1.0):
        listeners.append((weight, fn or (lambda v: v)))
        return fn

    def fire(v):
        return sum(w * f(v) for w, f in listeners)

    return on, fire


on, fire = callbacks()
on(jnp.sin)
on(weight=0.5)
print(simulate(jnp.arange(3.0))[1].peak, jax.jit(fire)(1.0))
