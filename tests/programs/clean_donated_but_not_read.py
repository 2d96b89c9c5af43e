# category: clean/donated-argument-not-read
# JAX leaves arguments that a program does not read out of it: nothing takes their memory.
import jax
import jax.numpy as jnp


def fresh(old):
    return jnp.zeros(4)


def reset(state):
    return jax.tree.map(jnp.zeros_like, state)


def advance(state, x):
    return {"mean": state["mean"] + x, "best": jnp.zeros(4)}


def padded(like, x):
    return jnp.broadcast_to(x, like.shape)


fresh = jax.jit(fresh, donate_argnums=0)
reset = jax.jit(reset, donate_argnums=0)
advance = jax.jit(advance, donate_argnames="state")
padded = jax.jit(padded, donate_argnums=(0,))

weights = jnp.ones(4)
print(fresh(weights) + weights)

state = {"mean": jnp.ones(4), "best": jnp.ones(4)}
print(reset(state), state["mean"] + 1)

after = advance(state, 2.0)
print(after, jnp.sum(state["best"]))

canvas = jnp.ones(4)
print(padded(canvas, 1.0) - canvas)
