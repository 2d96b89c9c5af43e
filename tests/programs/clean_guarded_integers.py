# category: clean/nan-where-grad
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnums=1)
def shifts(rings, side):
    # Nobody differentiates by integers.
    late = jnp.where(rings + 1 > 3 * side, 0.5 / (4 * side - rings - 1), 0.0)
    return jnp.where(rings + 1 < side, 0.5 / (2 * (rings + 1)), late)


@jax.jit
def total(scale, x):
    return jnp.sum(scale * x * shifts(jnp.arange(x.size), 4))


@jax.jit
def step(error, x):
    inverse = jax.lax.stop_gradient(1 / error)
    inverse = jnp.where(inverse == 0, 1.0, inverse)
    kept = jax.lax.stop_gradient(jnp.log(error))
    return jnp.sum(x * inverse + jnp.where(error > 0, kept, 0.0))


print(jax.grad(total)(2.0, jnp.ones(16)), jax.grad(step, argnums=(0, 1))(0.5, jnp.ones(3)))
