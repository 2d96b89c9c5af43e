# category: carry-mismatch
"""The updates of an optimizer are like the gradients; beside a state of which nothing is known."""

import jax
import jax.numpy as jnp
import optax

tx = optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(1e-2))


def moved(operands):
    w, state, grads = operands
    updates, state = tx.update(grads, state, w)
    return optax.apply_updates(w, updates), state, jnp.max(jnp.abs(updates["w"]), axis=0)


def kept(operands):
    w, state, _ = operands
    return w, state, 0.0


@jax.jit
def step(w, state, x):
    value, grads = jax.value_and_grad(lambda w: jnp.sum((x @ w["w"]) ** 2))(w)
    return jax.lax.cond(value > 1.0, moved, kept, (w, state, grads))  #! OAK504 #~ TypeError


w = {"w": jnp.ones((3, 2))}
print(step(w, tx.init(w), jnp.ones((4, 3))))
