# category: clean/jit-in-loop
"""Numbers of Python that `filter_jit` gets in a loop, and that are few, or sizes; arrays of them."""

import equinox as eqx
import jax
import jax.numpy as jnp

traced = []


def window(w, size):
    return jnp.concatenate([w, jnp.zeros(size)])


@eqx.filter_jit
def widened(w, size):
    traced.append("widened")
    return window(w, size).sum()


@eqx.filter_jit
def update(w, step):
    traced.append("update")
    return w * jnp.where(step < 10, 0.5, 1.0)


@jax.jit
def scaled(w, step):
    traced.append("scaled")
    return w * step


w = jnp.ones(2)
for size in range(1, 7):
    print(widened(w, size))
for step in range(6):
    w = update(w, jnp.asarray(step))
    w = scaled(w, step)
assert traced.count("update") == 1 and traced.count("scaled") == 1
for step in range(3):
    w = update(w, step)
