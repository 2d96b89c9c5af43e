# category: clean/scalar-cast-of-tracer
import math
from typing import Any, Callable, NamedTuple

import jax
import jax.numpy as jnp


class Transform(NamedTuple):
    init: Callable
    update: Callable


class AdamState(NamedTuple):
    count: jax.Array
    mu: Any


def scale_by_adam(b1: float = 0.9, eps: float = 1e-8) -> Transform:
    log_b1 = math.log(float(b1))
    half_life = int(math.ceil(math.log(0.5) / log_b1))
    if half_life < 1 or not 0.0 < b1 < 1.0:
        raise ValueError("b1 out of range")

    def init(params):
        return AdamState(jnp.zeros([], jnp.int32), jax.tree.map(jnp.zeros_like, params))

    def update(grads, state, params=None):
        count = state.count + 1
        mu = jax.tree.map(lambda m, g: b1 * m + (1 - b1) * g, state.mu, grads)
        bias = 1 - jnp.exp(count * log_b1)
        return jax.tree.map(lambda m: m / (bias + eps), mu), AdamState(count, mu)

    return Transform(init, update)


def chain(*transforms):
    def init(params):
        return tuple(t.init(params) for t in transforms)

    def update(grads, state, params=None):
        if len(state) != len(transforms):
            raise ValueError("state does not match")
        new = []
        for s, t in zip(state, transforms):
            grads, s = t.update(grads, s, params)
            new.append(s)
        return grads, tuple(new)

    return Transform(init, update)


tx = chain(scale_by_adam(), Transform(lambda p: (), lambda g, s, p=None: (jax.tree.map(lambda v: -0.1 * v, g), s)))
params = {"w": jnp.ones(2)}
state = tx.init(params)
step = jax.jit(lambda p, s: tx.update(jax.grad(lambda q: jnp.sum(q["w"] ** 2))(p), s, p))
updates, state = step(params, state)
print(updates, int(state[0].count), float(state[0].mu["w"][0]))
