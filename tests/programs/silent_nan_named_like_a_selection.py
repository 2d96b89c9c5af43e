# category: silent/nan-where-grad
"""A function whose names and comments speak of selections takes its root all the same."""

import jax
import jax.numpy as jnp


def select_root(x):
    # where this cannot be: a switch, a cond, a select or piecewise around it
    where = jnp.sqrt(x)  #! OAK602
    return 2.0 * where


def two_parts(x):
    angle = jnp.arccos(x)  #! OAK602
    return jnp.where(x > 0.0, x, 0.0) + angle


assert jnp.isnan(jax.grad(select_root)(-1.0))
assert not jnp.isfinite(jax.grad(two_parts)(1.0))
