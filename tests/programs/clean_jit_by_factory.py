# category: clean/jit-in-loop
"""A function that is jitted anew for another size, another function, or before the loop."""

import jax
import jax.numpy as jnp


def make_windows(size):
    def windows(x):
        return jnp.stack([x[i : i + size].sum() for i in range(x.shape[0] - size + 1)])

    return jax.jit(windows)


def make_step(loss, rate):
    def step(w):
        return w - rate * jax.grad(loss)(w)

    return jax.jit(step)


def square(w):
    return jnp.sum(w**2)


def cube(w):
    return jnp.sum(w**3)


x = jnp.arange(6.0)
for size in (1, 2, 3):
    print(make_windows(size)(x))
for loss in (square, cube):
    print(make_step(loss, 0.1)(x))
step = make_step(square, 0.1)
for _ in range(3):
    x = step(x)
for rate in (0.1, 0.01):
    step = make_step(square, rate)
    for _ in range(3):
        x = step(x)
