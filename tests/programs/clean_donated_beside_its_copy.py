# category: clean/use-after-donate
import jax
import jax.numpy as jnp

momentum = jax.jit(lambda state, anchor: 0.9 * state + anchor, donate_argnums=0)


def advance(state, anchor=None):
    return state if anchor is None else momentum(state, anchor)


state = jnp.ones(8)
for _ in range(3):
    state = momentum(state, state.copy())
print(advance(state, jnp.zeros(8)))
