# category: silent/jit-in-loop
"""`filter_jit` makes a program for each number of Python, as a counter is."""

import equinox as eqx
import jax.numpy as jnp

traced = []


@eqx.filter_value_and_grad
def loss(w, step):
    def warmed(count):
        return jnp.where(count < 10, count / 10, 1.0)

    return warmed(step) * jnp.sum(w**2)


@eqx.filter_jit
def update(w, step):
    traced.append("update")
    value, slope = loss(w, step)
    return w - 0.1 * slope, value


def fit(w, steps):
    for step in range(steps):
        w, _ = update(w, step)  #! OAK308
    return w


def fit_backwards(w, steps):
    for passed in range(steps):
        w, _ = update(w, step=steps - passed)  #! OAK308
    return w


def decayed(w):
    for epoch in range(8):
        rate = 0.3 / (2 + epoch)
        w, _ = update(w, rate)  #! OAK308
    return w


fit(jnp.ones(2), 6)
assert len(traced) == 6
fit_backwards(jnp.ones(3), 6)
assert len(traced) == 12
decayed(jnp.ones(4))
assert len(traced) == 20
