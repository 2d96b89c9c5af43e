# category: silent/new-function-in-each-iteration
"""Functions are compared by identity: what an iteration defines, or makes of another one, is compiled
for again.
"""

from functools import partial

import jax
import jax.numpy as jnp

compiled = []


@partial(jax.jit, static_argnames=("objective",))
def descend(w, objective):
    compiled.append(w.shape)
    return w - 0.1 * jax.grad(objective)(w)


def squared(w, target):
    return jnp.sum((w - target) ** 2)


def fit(w, targets):
    for target in targets:

        def loss(w):
            return squared(w, target)  # noqa: B023

        w = descend(w, loss)  #! OAK308
        w = descend(w, objective=partial(squared, target=target))  #! OAK308
    return w


def settle(w, target):
    while jnp.max(jnp.abs(w - target)) > 0.5:
        w = descend(w, lambda w: squared(w, target))  #! OAK308
    return w


fit(jnp.zeros(2), jnp.arange(6.0))
assert len(compiled) == 12
settle(jnp.zeros(2), 3.0)
assert len(compiled) > 14
