# category: clean/oob-index
"""What is read beyond the end is left out afterwards, whatever that is called."""

import jax
import jax.numpy as jnp

pick = jnp.where


def differences(x):
    def fill(i, out):
        following = x[i + 1]
        change = 2.0 * (following - x[i])
        return out.at[i].set(pick(i + 1 < 4, change, 0.0))

    return jax.lax.fori_loop(0, 4, fill, jnp.zeros(4))


def neighbour(x, i):
    return x[i + 1]


def total(x):
    def add(i, result):
        return result + neighbour(x, i) * (i < 3)

    return jax.lax.fori_loop(0, 4, add, 0.0)


def last_steps(x):
    def step(i, result):
        return jax.lax.cond(i < 3, lambda: result + x[i + 1], lambda: result)

    return jax.lax.fori_loop(0, 4, step, 0.0)


def rows(x):
    shifted = x[jnp.arange(1, 5)]
    inside = jnp.arange(4) < 3
    return jnp.stack([pick(inside, row, 0.0) for row in (shifted, x)])


x = jnp.arange(4.0)
assert differences(x)[3] == 0
assert total(x) == last_steps(x) == 6
assert rows(x)[0, 3] == 0
