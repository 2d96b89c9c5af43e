# category: silent/array-identity
"""A flag that works as a Python bool and never holds under `jit`; a loop that does not begin."""

import jax
import jax.numpy as jnp


def masked(scores, causal):
    if causal is True:  #! OAK224
        scores = jnp.tril(scores)
    return scores


@jax.jit
def attention(scores, causal):
    return masked(scores, causal).sum()


def halved(x):
    small = jnp.array(False)
    while small is False:  #! OAK224
        x = x / 2
        small = x < 1
    return x


def body(state, done):
    state = state + 1 if done is not True else state  #! OAK224
    return state, None


assert attention(jnp.ones((2, 2)), True) == 4
assert masked(jnp.ones((2, 2)), True).sum() == 3
assert halved(jnp.float32(8.0)) == 8
assert jax.lax.scan(body, 0, jnp.array([True, False]))[0] == 2
