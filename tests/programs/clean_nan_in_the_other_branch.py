# category: clean/nan-where-grad
"""The root of a negative number stands in the branch that does not run with it."""

import jax
import jax.numpy as jnp


def signed_root(x):
    return jax.lax.cond(x > 0.0, jnp.sqrt, lambda x: -jnp.sqrt(-x), x)


def by_kind(kind, x):
    return jax.lax.switch(kind, [lambda x: jnp.sqrt(x), lambda x: x**2], x)


assert jax.grad(signed_root)(-4.0) == 0.25
assert jax.grad(by_kind, argnums=1)(1, -1.0) == -2.0
