# category: irreversible-loop
"""`fori_loop` under a gradient: with a traced bound it is a `while_loop`, with a known one a
`scan`.
"""

from functools import partial

import jax
import jax.numpy as jnp
from jax import lax


def rollout(weights, state, steps):
    """Runs a recurrent cell so many times."""

    def cell(_, state):
        return jnp.tanh(weights @ state)

    return lax.fori_loop(0, steps, cell, state)  #! OAK604 12


def known_rollout(weights, state, steps):
    def cell(_, state):
        return jnp.tanh(weights @ state)

    return lax.fori_loop(0, steps, cell, state)


@jax.jit
def loss(weights, state, steps):
    return jnp.mean(rollout(weights, state, steps) ** 2)


@partial(jax.jit, static_argnames="steps")
def static_loss(weights, state, steps):
    return jnp.mean(known_rollout(weights, state, steps) ** 2)


@jax.jit
def loss_over_rows(weights, rows):
    return jnp.mean(known_rollout(weights, rows[0], rows.shape[0]) ** 2)


@jax.jit
def loss_over_list(weights, states):
    return jnp.mean(known_rollout(weights, states[0], len(states)) ** 2)


def eager_loss(weights, state, steps):
    """Without `jit` around, the bound is an array with a value."""
    return jnp.mean(known_rollout(weights, state, steps) ** 2)


weights, state = jnp.eye(3), jnp.ones(3)
jax.grad(static_loss)(weights, state, steps=4)
jax.grad(loss_over_rows)(weights, jnp.ones((4, 3)))
jax.grad(loss_over_list)(weights, [state, state])
jax.grad(eager_loss)(weights, state, jnp.int32(4))
jax.jit(loss)(weights, state, 4)
jax.value_and_grad(loss)(weights, state, 4)  #~ ValueError
