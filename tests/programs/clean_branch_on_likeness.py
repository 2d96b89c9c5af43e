# category: clean/likeness
"""What is made in the likeness of a tracer is none outside of `jit`: it has its shape and dtype."""

import jax
import jax.numpy as jnp


def masked(x):
    mask = jnp.ones_like(x, dtype=bool)
    filled = jnp.full_like(x, 2)
    if mask.all() and filled[0] > 1 and not jnp.zeros_like(x).any():
        return x * filled
    return x


print(jax.vmap(masked)(jnp.ones((3, 2))))
print(jax.grad(lambda x: masked(x).sum())(jnp.ones(3)))
