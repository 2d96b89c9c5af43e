# category: gradient-type
"""A loss gives its logits and its norm beside itself: only a pair has an auxiliary part."""

import jax
import jax.numpy as jnp


def loss(w, x):
    logits = x @ w
    return jnp.mean(logits**2), logits, jnp.linalg.norm(w)


def paired(w, x):
    value, *rest = loss(w, x)
    return value, rest


w, x = jnp.ones(3), jnp.ones((4, 3))
print(jax.grad(paired, has_aux=True)(w, x))
print(jax.grad(loss, has_aux=True)(w, x))  #! OAK601 #~ TypeError
