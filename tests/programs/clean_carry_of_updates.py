# category: clean/carry-mismatch
"""Branches and loops that hand on the updates and the state of an optimizer."""

import jax
import jax.numpy as jnp
import optax

tx = optax.adam(optax.linear_schedule(0.1, 0.0, 10))
broadcast = optax.sgd(jnp.full((3, 1, 1), 0.1))


def moved(operands):
    w, state, grads = operands
    updates, state = tx.update(grads, state, w)
    return optax.apply_updates(w, updates), state, jnp.linalg.norm(updates)


def kept(operands):
    w, state, _ = operands
    return w, state, 0.0


@jax.jit
def fit(w, state, x):
    def one(carry, _):
        w, state = carry
        value, grads = jax.value_and_grad(lambda w: jnp.sum((x @ w) ** 2))(w)
        w, state, norm = jax.lax.cond(value > 1.0, moved, kept, (w, state, grads))
        return (w, state), norm

    return jax.lax.scan(one, (w, state), None, length=3)


@jax.jit
def tried(w, state):
    updates, _ = broadcast.update(w, state, w)
    return jax.lax.cond(True, lambda: updates, lambda: jnp.ones((3, 2, 2)))


w = jnp.ones((2, 2))
print(fit(w, tx.init(w), jnp.ones((4, 2))))
print(tried(w, broadcast.init(w)))
